/**
 * Whether PgBouncer can stand between the services and PostgreSQL: migrations, kept plans, session and transaction locks, and
 * 100 clients on 10 connections, through the services' own `createDb`, in session and in transaction mode.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking } from '@karaar/testing/backing/backing';
import { createDb, migrateToLatest, type Db } from '@karaar/platform/db-kit';
import { migrations } from '@karaar/service-wallet/db/migrations/index';
import { sql } from 'kysely';
import { report, type Row } from '../lib/report.ts';
import { startPooler, type Mode } from './pgbouncer.ts';

const CONNECTIONS = 10;
const CLIENTS = 100;
const LOCK = 7_241;

const stateDir = mkdtempSync(join(tmpdir(), 'karaar-bench-'));
const backing = await startBacking({ stateDir, only: ['postgres'], env: {} });

const open = (url: string, max: number): Db<unknown> =>
  createDb<unknown>({ url, max, applicationName: 'bench-pooler' });

/** What is tried; each throws when it does not hold. */
const TRIED: Readonly<Record<string, (url: string) => Promise<void>>> = {
  'the migrations of a service': async (url) => {
    await withDb(url, 2, async (db) => void (await migrateToLatest(db, migrations)));
  },
  'plans that a connection keeps': async (url) => {
    await withDb(url, 4, async (db) => {
      await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          sql`/*keep doubled*/ select ${n}::int * 2 as doubled`.execute(db),
        ),
      );
    });
  },
  'a lock of a session, held over several statements': async (url) => {
    await withDb(url, 2, (db) =>
      db.connection().execute(async (first) => {
        await sql`select pg_advisory_lock(${LOCK})`.execute(first);
        // Another client's transaction, which may be given the server connection of the first client.
        await db.connection().execute(async (second) => {
          await second.transaction().execute(async (tx) => {
            await sql`select 1`.execute(tx);
            const { rows } = await sql<{
              freed: boolean;
            }>`select pg_advisory_unlock(${LOCK}) as freed`.execute(first);
            if (rows[0]?.freed !== true) throw new Error('the lock is held by another session');
          });
        });
      }),
    );
  },
  'a lock of a transaction': async (url) => {
    await withDb(url, CONNECTIONS, async (db) => {
      let inside = 0;
      await Promise.all(
        Array.from({ length: 50 }, () =>
          db.transaction().execute(async (tx) => {
            await sql`select pg_advisory_xact_lock(${LOCK + 1})`.execute(tx);
            inside += 1;
            if (inside > 1) throw new Error('two hold it');
            await sql`select 1`.execute(tx);
            inside -= 1;
          }),
        ),
      );
    });
  },
  'statements that run away are ended': async (url) => {
    const db = createDb<unknown>({ url, max: 1, applicationName: 'bench-pooler', statementTimeoutMs: 300 });
    try {
      const ended = await sql`select pg_sleep(2)`.execute(db).then(
        () => false,
        (error: unknown) => String(error).includes('statement timeout'),
      );
      if (!ended) throw new Error('it ran to its end');
    } finally {
      await db.destroy();
    }
  },
  [`${CLIENTS} clients on ${CONNECTIONS} connections`]: async (url) => {
    const pools = Array.from({ length: CLIENTS }, () => open(url, 1));
    try {
      await Promise.all(pools.map((db) => sql`select pg_sleep(0.01)`.execute(db)));
    } finally {
      await Promise.all(pools.map((db) => db.destroy()));
    }
  },
};

async function withDb(url: string, max: number, work: (db: Db<unknown>) => Promise<void>): Promise<void> {
  const db = open(url, max);
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** Whether it holds; what it says otherwise stands in the note. */
function tried(what: string, fault: string, isNeeded: boolean): Row {
  const value = fault === '' ? 1 : 0;
  return { what, value, unit: 'holds', note: fault, ...(isNeeded && { budget: { atLeast: 1 } }) };
}

/** Told only: a pooler takes no parameter of a session's start, and in session mode each open client keeps a connection. */
const TOLD = ['statements that', `${CLIENTS} clients`];
/** What has to hold in session mode; the rest is told. */
const isNeeded = (mode: Mode, name: string): boolean =>
  mode === 'session' && !TOLD.some((begin) => name.startsWith(begin));

const rows: Row[] = [];
try {
  for (const mode of ['session', 'transaction'] as const) {
    for (const [name, work] of Object.entries(TRIED)) {
      const pooler = await startPooler(backing.postgresUrl, mode, CONNECTIONS);
      try {
        const fault = await work(pooler.url).then(
          () => '',
          (error: unknown) => String(error).split('\n')[0] ?? '',
        );
        rows.push(tried(`${mode}: ${name}`, fault, isNeeded(mode, name)));
      } finally {
        await pooler.stop();
      }
    }
  }
  const strict = await startPooler(backing.postgresUrl, 'session', CONNECTIONS, 'refused');
  const refusal = await withDb(strict.url, 1, async (db) => void (await sql`select 1`.execute(db))).then(
    () => '',
    (error: unknown) => String(error),
  );
  await strict.stop();
  rows.push(tried('without ignore_startup_parameters', refusal, false));
  process.exitCode = report({ name: 'pooler', rows, data: {} });
} finally {
  await backing.stop({ remove: true });
  rmSync(stateDir, { recursive: true, force: true });
}
