/** The envelope of an event on the wire, and the order of the events of one aggregate. */
import type { Envelope, EventContract, EventData } from '@karaar/contracts/kit';
import { Type } from 'typebox';
import { PoisonMessage } from './consuming/poison.ts';
import { checkMessage, describeFaults } from './validate.ts';

export type { Envelope };

const Shape = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  type: Type.String(),
  version: Type.Integer(),
  occurredAt: Type.String(),
  aggregateId: Type.String(),
  aggregateVersion: Type.Integer(),
  traceparent: Type.Optional(Type.String()),
  data: Type.Unknown(),
});

/** Parses an event of one contract. @throws PoisonMessage with the faults */
export function parseEnvelope<E extends EventContract>(event: E, text: string): Envelope<EventData<E>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PoisonMessage('not JSON', { cause });
  }
  const outer = checkMessage(Shape, value);
  if (!outer.ok) throw new PoisonMessage(`not an envelope: ${describeFaults(outer.faults)}`);
  const { type, version } = outer.value;
  if (type !== event.type || version !== event.version) {
    throw new PoisonMessage(`is not ${event.type} v${event.version}`);
  }
  const data = checkMessage<E['data']>(event.data, outer.value.data);
  if (!data.ok) throw new PoisonMessage(`data: ${describeFaults(data.faults)}`);
  return { ...outer.value, data: data.value };
}

/**
 * Returns true if an event is newer than a projection's stored version, so that late and repeated events are
 * dropped: `if (!supersedes(event, row?.version)) return;`. Two deliveries can race, so lock the row first
 * (`for update`) or write with a condition on the stored version.
 */
export function supersedes(event: { aggregateVersion: number }, stored: number | null | undefined): boolean {
  return stored === null || stored === undefined || event.aggregateVersion > stored;
}
