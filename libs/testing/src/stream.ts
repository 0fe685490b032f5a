/** What a service has published, read from the broker's stream itself. */
import { connectTo } from './servers/nats.ts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';

/**
 * Every message of a stream from its first on, repetitions included; none when there is no such stream.
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
