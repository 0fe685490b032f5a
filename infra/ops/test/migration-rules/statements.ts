import { migrateToLatest, type Migrations } from '@karaar/db';
import { testPostgres } from '@karaar/testing/harness';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

export type Written = { name: string; withoutTransaction: boolean; statements: string[] };
export type Seen = {
  migrations: Written[];
  /** Volatile functions of the database. */
  volatile: ReadonlySet<string>;
};

/** Applies migrations to an empty database and returns their statements in order. */
export async function statementsOf(migrations: Migrations): Promise<Seen> {
  const database = await testPostgres('migration-statements');
  let current: Written | undefined;
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url, max: 1 }) }),
    log: ({ query }) => void current?.statements.push(query.sql),
  });
  const seen: Written[] = [];
  const watched = Object.entries(migrations).map(([name, migration]) => {
    const up: typeof migration.up = async (own) => {
      current = { name, withoutTransaction: migration.withoutTransaction === true, statements: [] };
      seen.push(current);
      await migration.up(own);
      current = undefined;
    };
    return [name, { ...migration, up }] as const;
  });
  try {
    await migrateToLatest(db, Object.fromEntries(watched));
    const { rows } = await sql<{ name: string }>`
      select distinct proname as name from pg_proc where provolatile = 'v'`.execute(db);
    return { migrations: seen, volatile: new Set(rows.map(({ name }) => name)) };
  } finally {
    await db.destroy();
    await database.drop();
  }
}
