/** What the wallet has published, read from the broker's stream itself. */
import type { walletEvents } from '@karaar/contracts/wallet/events';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import type { Bus } from '@karaar/platform/bus';

export type Movement = Envelope<EventData<typeof walletEvents.credited>>;

/** Every message of the stream from its first on, repetitions included. */
export async function eventsOf(bus: Bus): Promise<Movement[]> {
  const { js, jsm } = bus.link;
  const { state } = await jsm.streams.info('EVT_WALLET');
  if (state.messages === 0) return [];
  const consumer = await js.consumers.get('EVT_WALLET');
  const events: Movement[] = [];
  const messages = await consumer.fetch({ max_messages: state.messages, expires: 5_000 });
  for await (const message of messages) events.push(message.json<Movement>());
  return events;
}
