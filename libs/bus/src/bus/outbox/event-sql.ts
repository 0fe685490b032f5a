import type { EventContract, EventData } from '@karaar/contracts/kit';

/** An event whose values are SQL expressions. */
export type EventSql<E extends EventContract> = {
  /** By default a new UUID. */
  id?: string;
  aggregateId: string;
  aggregateVersion: string;
  /** By default null: the event begins a trace. */
  traceparent?: string;
  data: Record<keyof EventData<E>, string>;
};

/**
 * Returns the statement that writes an event to the outbox from inside a SQL function. For a change that reads,
 * decides and publishes in one round trip; everything else uses `Outbox.add`, which also validates the data.
 */
export function insertEventSql<E extends EventContract>(event: E, values: EventSql<E>): string {
  const { id = 'uuidv7()', aggregateId, aggregateVersion, traceparent = 'NULL', data } = values;
  const fields = Object.entries<string>(data).map(([name, value]) => `'${name}', ${value}`);
  return `INSERT INTO outbox (id, subject, type, version, aggregate_id, aggregate_version, traceparent, data)
    VALUES (${id}, '${event.subject}', '${event.type}', ${event.version}, ${aggregateId}, ${aggregateVersion}, ${traceparent},
      json_build_object(${fields.join(', ')}))`;
}
