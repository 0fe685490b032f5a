/** The outbox of a service: events are written in the transaction of the change, and published afterwards. */
import type { EventContract, EventData } from '@karaar/contracts/kit';
import { sql, type Kysely } from 'kysely';
import { prepared } from '@karaar/db';
import { uuidv7 } from '@karaar/db';
import { afterCommit, type Tx } from '@karaar/db';
import { currentTraceparent } from '@karaar/observability/telemetry';
import type { Bus } from '../bus.ts';
import type { BusLogger } from '../link.ts';
import { reopen, unpark } from './outbox-store.ts';
import { Relay, type RelayOptions } from './relay.ts';
import { checkMessage, describeFaults } from '../validate.ts';

export type EventInput<E extends EventContract> = {
  aggregateId: string;
  /** The aggregate's version after this event; consumers order by it. */
  aggregateVersion: number;
  data: EventData<E>;
  /** The trace of the event; the current one by default. */
  traceparent?: string | undefined;
};

export type OutboxOptions = { logger: BusLogger } & Partial<RelayOptions>;

export type Outbox = {
  /**
   * Writes an event in the caller's transaction (`inTransaction`); returns its id. @throws on data that
   * breaks the contract
   */
  add<DB, E extends EventContract>(tx: Tx<DB>, event: E, input: EventInput<E>): Promise<string>;
  /** Writes several events of one kind in one round trip, in order; returns their ids. @throws as `add` */
  addAll<DB, E extends EventContract>(
    tx: Tx<DB>,
    event: E,
    inputs: readonly EventInput<E>[],
  ): Promise<string[]>;
  /** Wakes the relay; a commit does so automatically. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
  /** Releases parked events; all of them if no ids are given. @returns how many */
  unpark(ids?: string[]): Promise<number>;
  /**
   * Publishes stored events again, all or those since a time; consumers skip applied ones. @returns how many
   */
  republish(options?: { from?: Date }): Promise<number>;
};

/** Far below the broker's limit of 1 MB for a message. */
const MAX_BYTES = 256 * 1_024;

/**
 * Returns the outbox of a database with the tables of `busTables`. Call `start()` in one or more processes.
 */
export function createOutbox<ServiceDB>(db: Kysely<ServiceDB>, bus: Bus, options: OutboxOptions): Outbox {
  const relay = new Relay(db, bus.link, {
    batch: 100,
    leaseMs: 30_000,
    pollMs: 1_000,
    paceMs: 40,
    busyPaceMs: 200,
    maxAttempts: 50,
    publishTimeoutMs: 5_000,
    backoffMs: (attempt) => Math.min(60_000, 100 * 2 ** attempt),
    ...options,
  });
  return {
    add: async (tx, event, input) => {
      const [id = ''] = await insert(tx, event, [input]);
      afterCommit(() => relay.wake());
      return id;
    },
    addAll: async (tx, event, inputs) => {
      const ids = await insert(tx, event, inputs);
      afterCommit(() => relay.wake());
      return ids;
    },
    wake: () => relay.wake(),
    start: () => relay.start(),
    stop: () => relay.stop(),
    unpark: async (ids) => {
      const count = await unpark(db, ids);
      relay.wake();
      return count;
    },
    republish: async ({ from } = {}) => {
      const count = await reopen(db, '%', from);
      relay.wake();
      return count;
    },
  };
}

async function insert<DB, E extends EventContract>(
  tx: Tx<DB>,
  event: E,
  inputs: readonly EventInput<E>[],
): Promise<string[]> {
  const rows = inputs.map((input) => ({
    id: uuidv7(),
    aggregate_id: input.aggregateId,
    aggregate_version: input.aggregateVersion,
    traceparent: input.traceparent ?? currentTraceparent() ?? null,
    data: dataOf(event, input.data),
  }));
  if (rows.length === 0) return [];
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  await prepared(
    'outbox',
    sql`
    insert into outbox (id, subject, type, version, aggregate_id, aggregate_version, traceparent, data)
    select id, ${event.subject}, ${event.type}, ${event.version}, aggregate_id, aggregate_version, traceparent, data::json
    from unnest(${column('id')}::uuid[], ${column('aggregate_id')}::text[], ${column('aggregate_version')}::bigint[],
      ${column('traceparent')}::text[], ${column('data')}::text[])
      as input (id, aggregate_id, aggregate_version, traceparent, data)`,
  ).execute(tx);
  return column('id');
}

/** Validates the event in its wire form; undeclared properties are dropped. */
function dataOf<E extends EventContract>(event: E, given: EventData<E>): string {
  const checked = checkMessage(event.data, JSON.parse(JSON.stringify(given)));
  if (!checked.ok) throw new Error(`${event.type} breaks its contract: ${describeFaults(checked.faults)}`);
  const data = JSON.stringify(checked.value);
  if (data.length > MAX_BYTES) throw new Error(`${event.type} is too large for an event: send a reference`);
  return data;
}
