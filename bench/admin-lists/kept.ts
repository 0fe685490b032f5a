/** Databases of this bench alone, seeded once and kept between runs when asked to: seeding takes minutes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDatabases } from '@karaar/testing/backing/databases';
import { stateRoot } from '@karaar/testing/roots';
import { sql, type Kysely } from 'kysely';
import { folderOf, isSmoke } from '../lib/smoke.ts';
import { startTestBacking } from '../lib/test-backing.ts';

export type BenchBacking = {
  /** A database of this name, made when it is missing. */
  database: (name: string) => Promise<string>;
  stop: () => Promise<void>;
};

/**
 * Backing services of this bench, which the services under test are pointed to.
 * @param keep leaves the databases for the next run
 */
export async function benchBacking(keep: boolean): Promise<BenchBacking> {
  const stateDir = isSmoke ? folderOf({}) : join(stateRoot, 'bench', 'admin-lists.state');
  mkdirSync(stateDir, { recursive: true });
  const backing = await startTestBacking({ stateDir, durable: false });
  return {
    database: async (name) => {
      const wanted = { name, password: 'bench', runtimePassword: 'bench' };
      const urls = await ensureDatabases(backing.postgresUrl, [wanted]);
      return urls[name]?.owner ?? '';
    },
    stop: () => backing.stop({ remove: !keep }),
  };
}

/**
 * Seeds a database unless it was, and says when the seeded time begins.
 * @param rows part of the mark: another number wants another database
 * @throws Error when it was seeded with another number of rows, or a seeding broke off
 */
export async function seededOnce<DB>(
  db: Kysely<DB>,
  rows: number,
  seed: (startS: number) => Promise<void>,
): Promise<number> {
  await sql`CREATE TABLE IF NOT EXISTS bench_seed (rows bigint, start_s bigint, done boolean)`.execute(db);
  const { rows: marks } = await sql<{ rows: number; start_s: number; done: boolean }>`
    SELECT rows::float8 AS rows, start_s::float8 AS start_s, done FROM bench_seed`.execute(db);
  const [mark] = marks;
  if (mark && (mark.rows !== rows || !mark.done))
    throw new Error('These databases are of another run: remove .karaar/bench/admin-lists.state');
  if (mark) return mark.start_s;
  // A year that ends now.
  const startS = Math.floor(Date.now() / 1_000) - 365 * 86_400;
  await sql`INSERT INTO bench_seed VALUES (${rows}, ${startS}, false)`.execute(db);
  await db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    await seed(startS);
    await sql`VACUUM (ANALYZE)`.execute(one);
    await sql`UPDATE bench_seed SET done = true`.execute(one);
    await sql`RESET statement_timeout`.execute(one);
  });
  return startS;
}
