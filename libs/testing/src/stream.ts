/** Reads a service's published events from the broker's stream. */
import { connectTo } from './servers/nats.ts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';

/**
 * Returns every message of a stream, repetitions included; empty if the stream does not exist.
 *
 * @param natsUrl the broker, with user and password
 */
export async function messagesOf<T>(natsUrl: string, stream: string): Promise<T[]> {
  const connection = await connectTo(natsUrl);
  try {
    const manager = await jetstreamManager(connection);
    const known = await manager.streams.info(stream).catch(() => undefined);
    if (!known || known.state.messages === 0) return [];
    const consumer = await jetstream(connection).consumers.get(stream);
    const messages: T[] = [];
    for await (const message of await consumer.fetch({
      max_messages: known.state.messages,
      expires: 5_000,
    })) {
      messages.push(message.json<T>());
    }
    return messages;
  } finally {
    await connection.close();
  }
}
