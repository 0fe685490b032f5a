/** Shared by the bus tests: contracts, a service with a database, and effects that are counted. */
import { defineEvent, defineRpc } from '@karaar/contracts/kit';
import { testPostgres } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { createDb, inTransaction, migrateToLatest, type Db, type Tx } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import {
  connectBus,
  createOutbox,
  startBrokerAdmin,
  type Bus,
  type ConsumeSettings,
  type Consumption,
  type Envelope,
  type BrokerAdmin,
  type Outbox,
  type OutboxOptions,
  type RecordedEffect,
} from '../index.ts';
import { busTables } from '@karaar/db/shared-tables';

export const logger = createLogger({ name: 'bus-test', level: 'silent' });

export const added = defineEvent({
  type: 'ledger.entry.added',
  version: 1,
  data: Type.Object({ n: Type.Integer() }),
});
export type Added = Envelope<{ n: number }>;

export const double = defineRpc({
  subject: 'rpc.ledger.double.v1',
  request: Type.Object({ n: Type.Integer() }),
  response: Type.Object({ twice: Type.Integer() }),
  timeoutMs: 2_000,
  callers: ['asker', 'ledger'],
});

type Listen<Found> = ConsumeSettings<unknown, typeof added> & RecordedEffect<unknown, typeof added, Found>;

export type TestService = {
  db: Db<unknown>;
  url: string;
  bus: Bus;
  outbox: Outbox;
  /** Another connection to the broker, optionally with another service name or URL. */
  connect(name?: string, url?: string): Promise<Bus>;
  relay(options?: Partial<OutboxOptions>, bus?: Bus): Outbox;
  /** Publishes numbers, one transaction each. */
  say(numbers: number[]): Promise<void>;
  /**
   * Consumes events and records every effect in the table `effect`, which allows duplicates to reveal
   * repetitions.
   */
  listen<Found = undefined>(options?: Partial<Listen<Found>>, bus?: Bus): Promise<Consumption>;
  /** The numbers that had an effect, in order. */
  effects(handler?: string): Promise<number[]>;
  count(table: string, where?: string): Promise<number>;
  close(): Promise<void>;
};

/** Starts a service `ledger` with its own database on the given broker, with its relay running by default. */
export async function startService(
  natsUrl: string,
  options: { relay?: boolean; outbox?: Partial<OutboxOptions> } = {},
): Promise<TestService> {
  const database = await testPostgres('bus');
  const db = createDb<unknown>({ url: database.url, max: 10, applicationName: 'bus-test' });
  await migrateToLatest(db, { '1-init': { up: createTables } });
  const brokerAdmin = await startLedgerAdmin(natsUrl);
  const buses: Bus[] = [];
  const outboxes: Outbox[] = [];
  const connect = async (name = 'ledger', url = natsUrl) => {
    const bus = await connectBus({ url, name, logger });
    buses.push(bus);
    return bus;
  };
  const bus = await connect();
  const relay = (extra: Partial<OutboxOptions> = {}, over = bus) => {
    const outbox = createOutbox(db, over, { logger, pollMs: 200, ...options.outbox, ...extra });
    outboxes.push(outbox);
    return outbox;
  };
  const outbox = relay();
  if (options.relay !== false) outbox.start();

  return {
    db,
    url: database.url,
    bus,
    outbox,
    connect,
    relay,
    say: async (numbers) => {
      for (const n of numbers) {
        await inTransaction(db, (tx) =>
          outbox.add(tx, added, { aggregateId: 'ledger-1', aggregateVersion: n, data: { n } }),
        );
      }
    },
    listen: <Found = undefined>(extra: Partial<Listen<Found>> = {}, over = bus) => {
      const handlerName = extra.handlerName ?? 'notes';
      return over.consume<unknown, typeof added, Found>({
        db,
        event: added,
        handlerName,
        handle: (event, tx) => note(tx, handlerName, event.data.n),
        backoffMs: () => 100,
        ...extra,
      });
    },
    effects: async (handler = 'notes') => {
      const { rows } = await sql<{ n: number }>`
        select n from effect where handler = ${handler} order by at`.execute(db);
      return rows.map((row) => row.n);
    },
    count: async (table, where = 'true') => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where ${sql.raw(where)}`.execute(db);
      return rows[0]?.count ?? 0;
    },
    close: async () => {
      await Promise.all(outboxes.map((one) => one.stop()));
      await Promise.all(buses.map((one) => one.close()));
      await brokerAdmin.close();
      await db.destroy();
      await database.drop();
    },
  };
}

/** Starts the broker admin for the stream of `ledger` and all its consumers. */
export const startLedgerAdmin = (url: string): Promise<BrokerAdmin> =>
  startBrokerAdmin({ url, logger, plan: { publishers: ['ledger'], consumes: () => true } });

async function createTables(db: Db<unknown>): Promise<void> {
  await busTables(db);
  await sql`
    create table effect (handler text, n int, at bigint generated always as identity)`.execute(db);
}

export async function note(tx: Tx<unknown>, handler: string, n: number): Promise<void> {
  await sql`insert into effect (handler, n) values (${handler}, ${n})`.execute(tx);
}

export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

export const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);
