import { Kysely, PostgresDialect, type LogEvent, type PostgresPool } from 'kysely';
import pg from 'pg';
import { gauge, noteSpan } from '@karaar/observability/telemetry';
import { Address } from './address.ts';
import { Client } from './client.ts';
import { assertOutsideTransaction } from './transaction.ts';

export type Db<DB> = Kysely<DB>;

export type DbOptions = {
  /** Its password may be `old,new`: the server accepts one of them. */
  url: string;
  max?: number;
  applicationName: string;
  /** Statement timeout in milliseconds; 15 s by default. */
  statementTimeoutMs?: number;
  /**
   * Milliseconds without an answer after which a connection counts as dead and is closed; by default 5 s more
   * than the statement timeout. 0 waits without a limit, for migrations, which raise their statement timeout.
   */
  silentAfterMs?: number;
  /** Called when an idle connection breaks (the pool replaces it). */
  onIdleError?: (error: Error) => void;
};

/** Postgres type OIDs, which never change. */
const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const DATE_ARRAY = 1182;
const TEXT_ARRAY: number = 1009;

/** Parses int8 as a number: paise and counts fit 2^53. Throws on a larger value rather than rounding it. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('A bigint from the database is beyond 2^53');
  return value;
}

const texts = (text: string): (string | null)[] => pg.types.getTypeParser(TEXT_ARRAY)(text);

const custom: Record<number, (text: string) => unknown> = {
  [INT8]: parseInt8,
  [INT8_ARRAY]: (text) => texts(text).map((one) => (one === null ? null : parseInt8(one))),
  // A date has no time zone; a Date object would shift it by the server's offset.
  [DATE]: (text) => text,
  [DATE_ARRAY]: (text) => texts(text),
};

/** pg's own parsers, overridden by ours (pg requests the text format only). */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && custom[id]) || pg.types.getTypeParser(id, format ?? 'text'),
};

/**
 * Opens a pool. int8 is read as number (checked), numeric as string, date as 'YYYY-MM-DD', timestamptz as
 * Date. An unreachable database fails within 5 s, which `toWire` maps to 503. Close it with `db.destroy()`.
 */
export function createDb<DB>(options: DbOptions): Db<DB> {
  const { statementTimeoutMs = 15_000 } = options;
  const address = new Address(options.url);
  const pool = new pg.Pool({
    Client: class extends Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: address.current });
      }
    },
    max: options.max ?? 10,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    ...KEEP_ALIVE,
    query_timeout: options.silentAfterMs ?? statementTimeoutMs + SILENT_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    types,
  });
  // Without a listener a broken idle connection would end the process.
  pool.on('error', options.onIdleError ?? (() => undefined));
  const watched: Watched = { pool, address, lastWaitMs: 0 };
  // A newer pool of the same name replaces the older one.
  pools.set(options.applicationName, watched);
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: guarded(watched) }), log: noteQuery });
}

/** TCP keep-alive probes start after 10 s without data. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/**
 * How long a connection may stay silent after its statement timeout, so that the server's own error arrives
 * first.
 */
const SILENT_MS = 5_000;

const connections = gauge({
  name: 'db_pool_connections',
  help: 'Connections to the database: in use, idle, and callers that wait for one',
  labelNames: ['pool', 'state'],
});
type Watched = {
  pool: pg.Pool;
  address: Address;
  lastWaitMs: number;
};
const pools = new Map<string, Watched>();
Object.assign(connections, {
  collect: () => {
    for (const [name, { pool }] of pools) {
      connections.set({ pool: name, state: 'used' }, pool.totalCount - pool.idleCount);
      connections.set({ pool: name, state: 'idle' }, pool.idleCount);
      connections.set({ pool: name, state: 'waiting' }, pool.waitingCount);
    }
  },
});

/** After such a wait for a connection the next caller's answer would come too late. */
const TOO_LONG_MS = 1_000;

/**
 * Returns true if callers in this process wait so long for a connection that admitting more requests is
 * useless.
 */
export function databaseIsCrowded(): boolean {
  return [...pools.values()].some(
    ({ pool, lastWaitMs }) => pool.waitingCount > 0 && lastWaitMs > TOO_LONG_MS,
  );
}

const VERB = /^\s*(\w+)/;

/** Records a statement as a span: its text has numbered placeholders and so contains no values. */
function noteQuery(event: LogEvent): void {
  const { sql } = event.query;
  const verb = (VERB.exec(sql)?.[1] ?? 'query').toUpperCase();
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': verb,
    'db.query.text': sql.slice(0, 2_000),
  };
  noteSpan(`SQL ${verb}`, event.queryDurationMillis, attributes, event.level === 'error');
}

/** Refuses a second connection inside a transaction: it could wait for the first one forever. */
function guarded(watched: Watched): PostgresPool {
  const { pool, address } = watched;
  const connect = () => address.connect(() => pool.connect());
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      assertOutsideTransaction('The pool was used');
      if (pool.idleCount > 0) return await connect();
      const startedAt = performance.now();
      try {
        return await connect();
      } finally {
        watched.lastWaitMs = performance.now() - startedAt;
      }
    },
  };
}
