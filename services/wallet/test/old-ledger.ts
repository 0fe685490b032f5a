/** A ledger with transfers of earlier months, written by the owner of the tables past all guards. */
import { createDb, migrateToLatest, uuidv7 } from '@karaar/db';
import { testPostgres } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { appendOnlyTables } from '../src/db/append-only-tables.ts';
import { migrations } from '../src/db/migrations/index.ts';
import { CLEARING_ACCOUNT, REVENUE_ACCOUNT } from '../src/db/migrations/ledger.sql.ts';
import type { Database, Db } from '../src/db/schema.ts';

export type OldLedger = {
  db: Db;
  runtimeUrl: string;
  /**
   * Writes a transfer between a user's wallet and a system account `monthsAgo` months ago, and returns its
   * id.
   */
  transfer: (move: { user: string; paise: number; monthsAgo: number }) => Promise<string>;
  /** Runs statements as the owner of the tables, with the triggers off. */
  tamper: (...statements: string[]) => Promise<void>;
  stop: () => Promise<void>;
};

const GUARDED = ['accounts', 'transfers', 'entries', 'ledger_periods'];

export async function oldLedger(name: string): Promise<OldLedger> {
  const database = await testPostgres(name);
  const owner = createDb<Database>({ url: database.url, max: 2, applicationName: 'owner' });
  await migrateToLatest(owner, migrations, { appendOnlyTables });
  const db = createDb<Database>({ url: database.runtimeUrl, max: 6, applicationName: 'service' });
  const tamper = (...statements: string[]): Promise<void> =>
    owner.transaction().execute(async (tx) => {
      const switched = async (how: string): Promise<void> => {
        for (const table of GUARDED) await sql.raw(`ALTER TABLE ${table} ${how} TRIGGER USER`).execute(tx);
      };
      await sql`GRANT UPDATE, DELETE ON transfers, entries, accounts TO CURRENT_USER`.execute(tx);
      await switched('DISABLE');
      for (const statement of statements) await sql.raw(statement).execute(tx);
      await switched('ENABLE');
    });
  return {
    db,
    runtimeUrl: database.runtimeUrl,
    tamper,
    transfer: async ({ user, paise, monthsAgo }) => {
      const { rows } = await sql<{ id: string }>`
        SELECT uuidv7(-make_interval(months => ${monthsAgo}::int)) AS id`.execute(owner);
      const id = rows[0]?.id ?? '';
      const [from, to] = paise > 0 ? [CLEARING_ACCOUNT, user] : [user, REVENUE_ACCOUNT];
      await owner.transaction().execute(async (tx) => {
        await sql`INSERT INTO accounts (id, kind, balance_paise) VALUES (${user}, 'user', 0)
          ON CONFLICT (id) DO NOTHING`.execute(tx);
        await sql`UPDATE accounts SET balance_paise = balance_paise + ${paise} WHERE id = ${user}`.execute(
          tx,
        );
        await sql`INSERT INTO transfers (id, idempotency_key, from_account, to_account, amount_paise, description,
            reference, balance_after_paise)
          VALUES (${id}, ${uuidv7()}, ${from}, ${to}, ${Math.abs(paise)}, 'Test', 'test', 0)`.execute(tx);
        await sql`INSERT INTO entries (transfer_id, account_id, amount_paise)
          VALUES (${id}, ${from}, ${-Math.abs(paise)}), (${id}, ${to}, ${Math.abs(paise)})`.execute(tx);
      });
      return id;
    },
    stop: async () => {
      await db.destroy();
      await owner.destroy();
      await database.drop();
    },
  };
}
