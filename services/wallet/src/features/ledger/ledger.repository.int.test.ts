import { createDb, migrateToLatest, uuidv7 } from '@karaar/db';
import { ensureSpans, idAt, spanOf } from '@karaar/db/partitions';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { partitionsRead } from '@karaar/testing/partitions';
import fc from 'fast-check';
import { sql } from 'kysely';
import { migrations } from '../../db/migrations/index.ts';
import { CLEARING_ACCOUNT, REVENUE_ACCOUNT } from '../../db/migrations/ledger.sql.ts';
import type { Database, Db } from '../../db/schema.ts';
import { checkLedger } from './ledger-check.ts';
import { batchDebits } from './batched-debits.ts';
import { balanceOf, credit, debit, debitAll, movementsOf, type Transfer } from './ledger.repository.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testPostgres('wallet-ledger');
  db = createDb<Database>({ url: database.url, applicationName: 'test', max: 12 });
  await migrateToLatest(db, migrations);
}, 120_000);
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const transfer = (userId: string, amountPaise: number, idempotencyKey: string = uuidv7()): Transfer => ({
  idempotencyKey,
  userId,
  amountPaise,
  description: 'Test',
  reference: 'test',
});
const codeOf = async (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );
const balance = async (userId: string) => (await balanceOf(db, userId)).balancePaise;

describe('the ledger', () => {
  it('[WALLET-032] keeps balance = Σ entries and Σ of all entries = 0', async () => {
    const user = uuidv7();
    await credit(db, transfer(user, 10_000));
    await debit(db, transfer(user, 2_500));
    expect(await balance(user)).toBe(7_500);
    expect((await movementsOf(db, user, {}, { limit: 10 })).map((m) => m.amountPaise)).toEqual([
      -2_500, 10_000,
    ]);
    expect(await checkLedger(db)).toMatchObject({ totalPaise: '0', faults: [] });
  });

  it('[WALLET-034] moves money once for one key, even for 50 simultaneous callers', async () => {
    const user = uuidv7();
    await credit(db, transfer(user, 100_000));
    const once = transfer(user, 700);
    const answers = await Promise.all(Array.from({ length: 50 }, () => debit(db, once)));
    expect(new Set(answers.map((answer) => answer.transferId)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.balancePaise))).toEqual(new Set([99_300]));
    expect(await balance(user)).toBe(99_300);
  });

  it('[WALLET-035] refuses a key that comes with other parameters', async () => {
    const user = uuidv7();
    const other = uuidv7();
    const first = transfer(user, 500);
    await credit(db, first);
    await credit(db, transfer(other, 500));
    expect(await codeOf(credit(db, { ...first, amountPaise: 501 }))).toBe('idempotency_mismatch');
    expect(await codeOf(debit(db, first))).toBe('idempotency_mismatch');
    expect(await codeOf(credit(db, { ...first, userId: other }))).toBe('idempotency_mismatch');
    expect(await balance(user)).toBe(500);
    expect(await balance(other)).toBe(500);
  });

  it('[PAY-018] never overdraws: parallel debits take no more than the balance', async () => {
    const user = uuidv7();
    await credit(db, transfer(user, 1_000));
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => codeOf(debit(db, transfer(user, 300)))),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'insufficient_balance')).toHaveLength(9);
    expect(await balance(user)).toBe(100);
    await expect(debit(db, transfer(user, 300))).rejects.toThrow(
      'Insufficient wallet balance. Required: ₹3.00, Available: ₹1.00',
    );
  });

  it('answers each debit of a batch separately, in the order of the requests', async () => {
    const [rich, poor] = [uuidv7(), uuidv7()];
    await credit(db, transfer(rich, 1_000));
    await credit(db, transfer(poor, 100));
    const first = transfer(rich, 300);
    const batch = [transfer(poor, 200), first, transfer(rich, 400), first, transfer(rich, 400)];
    const answers = (await debitAll(db, batch)).map((answer) => {
      try {
        return answer().balancePaise;
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    expect(answers).toEqual(['insufficient_balance', 700, 300, 700, 'insufficient_balance']);
    expect([await balance(rich), await balance(poor)]).toEqual([300, 100]);
  });

  it('refuses only the one of many simultaneous debits whose key was used with other parameters', async () => {
    const users = Array.from({ length: 20 }, () => uuidv7());
    for (const user of users) await credit(db, transfer(user, 1_000));
    const [reused = ''] = users;
    const used = transfer(reused, 100);
    await debit(db, used);
    const batched = batchDebits(db);
    const asked = [{ ...used, amountPaise: 101 }, ...users.map((user) => transfer(user, 50))];
    const outcomes = await Promise.all(asked.map((one) => codeOf(batched(one))));
    expect(outcomes).toEqual(['idempotency_mismatch', ...users.map(() => 'done')]);
    expect(await balance(reused)).toBe(850);
  });

  it('keeps refusing a refused key, even after a top-up', async () => {
    const user = uuidv7();
    const refused = transfer(user, 300);
    expect(await codeOf(debit(db, refused))).toBe('insufficient_balance');
    await credit(db, transfer(user, 1_000));
    expect(await codeOf(debit(db, refused))).toBe('insufficient_balance');
    expect(await balance(user)).toBe(1_000);
  });

  it('[WALLET-033] refuses changes of rows, and entries that do not sum to zero', async () => {
    const user = uuidv7();
    await credit(db, transfer(user, 100));
    const changes = ['entries', 'transfers', 'refusals'].flatMap((table) => [
      `UPDATE ${table} SET amount_paise = 1`,
      `DELETE FROM ${table}`,
    ]);
    // The service's role owns the tables but lacks the right; the triggers refuse even a role that has the
    // right.
    for (const change of changes)
      await expect(sql.raw(change).execute(db)).rejects.toThrow('permission denied');
    for (const change of [...changes, 'TRUNCATE transfers, entries'])
      await expect(
        db.transaction().execute(async (tx) => {
          await sql`GRANT ALL ON entries, transfers, refusals TO CURRENT_USER`.execute(tx);
          await sql.raw(change).execute(tx);
        }),
      ).rejects.toThrow('never changed');
    const loose = uuidv7();
    await credit(db, transfer(loose, 100));
    await expect(
      sql`INSERT INTO entries (transfer_id, account_id, amount_paise)
          SELECT id, ${loose}::uuid, 5 FROM transfers WHERE to_account = ${user}`.execute(db),
    ).rejects.toThrow('do not sum to zero');
  });

  it('does not lock the rows of the system accounts, however many transfers share them', async () => {
    const users = Array.from({ length: 12 }, () => uuidv7());
    // PostgreSQL's xmax shows the last transaction that locked a row.
    const locked = async () =>
      (
        await sql<{ id: string; xmin: string; xmax: string }>`
          SELECT id, xmin::text, xmax::text FROM accounts
          WHERE id IN (${CLEARING_ACCOUNT}, ${REVENUE_ACCOUNT}) ORDER BY id`.execute(db)
      ).rows;
    const before = await locked();
    let waiting = users.length;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (release = resolve));
    const own = createDb<Database>({ url: database.url, applicationName: 'test', max: users.length });
    try {
      await Promise.all(
        users.map((user) =>
          own.transaction().execute(async (tx) => {
            await credit(tx, transfer(user, 500));
            await debit(tx, transfer(user, 200));
            waiting -= 1;
            if (waiting === 0) release();
            await all;
          }),
        ),
      );
    } finally {
      await own.destroy();
    }
    expect(await locked()).toEqual(before);
    expect(await checkLedger(db)).toMatchObject({ totalPaise: '0', faults: [] });
  });

  it('refuses transfers and entries of an account that does not exist, and the deletion of accounts', async () => {
    const [user, nobody] = [uuidv7(), uuidv7()];
    await credit(db, transfer(user, 100));
    const into = (from: string, to: string) => sql`
      INSERT INTO transfers (idempotency_key, from_account, to_account, amount_paise, description, reference,
        balance_after_paise) VALUES (${uuidv7()}, ${from}, ${to}, 1, 'Test', 'test', 0)`;
    await expect(into(nobody, user).execute(db)).rejects.toMatchObject({ code: '23503' });
    await expect(into(user, nobody).execute(db)).rejects.toMatchObject({ code: '23503' });
    await expect(
      sql`INSERT INTO entries (transfer_id, account_id, amount_paise)
          SELECT id, ${nobody}::uuid, 5 FROM transfers WHERE to_account = ${user}`.execute(db),
    ).rejects.toMatchObject({ code: '23503' });
    await expect(sql`DELETE FROM accounts WHERE id = ${user}`.execute(db)).rejects.toThrow(
      'permission denied',
    );
    for (const change of [
      `DELETE FROM accounts WHERE id = '${user}'`,
      `UPDATE accounts SET id = '${nobody}' WHERE id = '${user}'`,
      `UPDATE accounts SET kind = 'held', balance_paise = NULL WHERE id = '${user}'`,
      'TRUNCATE accounts CASCADE',
    ])
      await expect(
        db.transaction().execute(async (tx) => {
          await sql`GRANT ALL ON accounts, refusals TO CURRENT_USER`.execute(tx);
          await sql.raw(change).execute(tx);
        }),
      ).rejects.toThrow('never changed');
    expect(await balance(user)).toBe(100);
  });

  it('reads the entries of one year when it moves money, and a page of older entries reads no later years', async () => {
    const entries = { table: 'entries', key: 'transfer_id', months: 12 };
    await db.transaction().execute((tx) => ensureSpans<Database>(tx, entries, new Date('2020-01-01')));
    const user = uuidv7();
    const moved = await partitionsRead(db, 'entries', async (tx) => {
      await credit(tx, transfer(user, 10_000));
      await debit(tx, transfer(user, 2_500));
      // Checks here, and not at the commit, that the entries sum to zero.
      await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx);
    });
    expect(moved).toEqual([`entries_${spanOf(new Date(), 12).name}`]);
    const page = { before: idAt(new Date('2022-02-02')), limit: 20 };
    expect(await partitionsRead(db, 'entries', (tx) => movementsOf(tx, user, {}, page))).toEqual([
      'entries_2020_01',
      'entries_2021_01',
      'entries_2022_01',
      'entries_default',
    ]);
    expect(await movementsOf(db, user, {}, { limit: 20 })).toMatchObject([
      { amountPaise: -2_500 },
      { amountPaise: 10_000 },
    ]);
  });

  it('conserves money under any interleaving of credits, debits and repeats', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            user: fc.integer({ min: 0, max: 2 }),
            key: fc.integer({ min: 0, max: 15 }),
            credit: fc.boolean(),
            amount: fc.integer({ min: 1, max: 500 }),
          }),
          { minLength: 1, maxLength: 30 },
        ),
        async (commands) => {
          const users = [uuidv7(), uuidv7(), uuidv7()];
          const run = uuidv7();
          await Promise.all(
            commands.map(async (command) => {
              const movement = transfer(users[command.user] ?? '', command.amount, `${run}:${command.key}`);
              await codeOf((command.credit ? credit : debit)(db, movement));
            }),
          );
          for (const user of users) expect(await balance(user)).toBeGreaterThanOrEqual(0);
          expect(await checkLedger(db)).toMatchObject({ totalPaise: '0', faults: [] });
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);
});
