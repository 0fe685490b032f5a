/** Closed ledger periods: every change of an old row or of a stored total is found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createDb, uuidv7 } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Database, Db } from '../src/db/schema.ts';
import { checkLedger, proveOn } from '../src/features/ledger/ledger-check.ts';
import { LEASE_MS, readProof } from '../src/features/ledger/ledger-proofs.repository.ts';
import { proveIfDue } from '../src/features/ledger/ledger-watch.ts';
import { oldLedger, type OldLedger } from './old-ledger.ts';

jest.setTimeout(120_000);

let ledger: OldLedger;
let user: string;
beforeEach(async () => {
  ledger = await oldLedger('ledger-periods');
  user = uuidv7();
});
afterEach(() => ledger.stop());

/** A year with one transfer a month, closed up to the last month or the one before. */
async function aClosedYear(): Promise<string[]> {
  const ids: string[] = [];
  for (let monthsAgo = 12; monthsAgo >= 0; monthsAgo -= 1)
    ids.push(await ledger.transfer({ user, paise: 1_000 + monthsAgo, monthsAgo }));
  const { faults, closed } = await proveOn(ledger.db, 1);
  expect(faults).toEqual([]);
  expect(closed.length).toBeGreaterThanOrEqual(11);
  return ids;
}

const whatOf = (faults: readonly { what: string }[]): string[] => [
  ...new Set(faults.map(({ what }) => what)),
];
const CHANGED = 'a closed ledger period is not what was proved';

const monthOf = async (id: string): Promise<string> =>
  (
    await sql<{ month: string }>`
      SELECT to_char(uuid_extract_timestamp(${id}::uuid) AT TIME ZONE 'UTC', 'YYYY_MM') AS month`.execute(
      ledger.db,
    )
  ).rows[0]?.month ?? '';

describe('a ledger with closed periods', () => {
  it('is sound by the running proof and by the proof of all rows, and closes each month once', async () => {
    await aClosedYear();
    await ledger.transfer({ user, paise: -500, monthsAgo: 0 });
    expect(await proveOn(ledger.db, 1)).toMatchObject({ faults: [], closed: [] });
    expect(await checkLedger(ledger.db)).toMatchObject({ totalPaise: '0', transfers: 14, faults: [] });
  });

  it('reads no rows of a closed period that is not due', async () => {
    await aClosedYear();
    await sql`UPDATE ledger_periods SET read_at = now() - interval '1 day' WHERE month = (SELECT min(month) FROM ledger_periods)`.execute(
      ledger.db,
    );
    const [oldest] = (
      await sql<{ month: string }>`SELECT min(month) AS month FROM ledger_periods`.execute(ledger.db)
    ).rows;
    expect((await proveOn(ledger.db, 1 / 24)).read).toEqual([oldest?.month]);
  });

  it.each([
    [
      'a changed amount',
      (id: string) => [`UPDATE entries SET amount_paise = amount_paise * 2 WHERE transfer_id = '${id}'`],
    ],
    [
      'an amount that was changed everywhere, its balance too',
      (id: string) => [
        `UPDATE entries SET amount_paise = sign(amount_paise) * 7 WHERE transfer_id = '${id}'`,
        `UPDATE transfers SET amount_paise = 7 WHERE id = '${id}'`,
        `UPDATE accounts a SET balance_paise = (SELECT sum(amount_paise) FROM entries WHERE account_id = a.id) WHERE kind = 'user'`,
      ],
    ],
    ['another description', (id: string) => [`UPDATE transfers SET description = 'Tset' WHERE id = '${id}'`]],
    [
      'another time',
      (id: string) => [`UPDATE transfers SET created_at = created_at + interval '1 s' WHERE id = '${id}'`],
    ],
    [
      'a transfer that is gone',
      (id: string) => [
        `DELETE FROM entries WHERE transfer_id = '${id}'`,
        `DELETE FROM transfers WHERE id = '${id}'`,
      ],
    ],
    [
      'an entry that is gone',
      (id: string) => [`DELETE FROM entries WHERE transfer_id = '${id}' AND amount_paise > 0`],
    ],
  ])(
    'finds %s in an old period when the period is checked, until it is repaired',
    async (_what, statements) => {
      const ids = await aClosedYear();
      const id = ids[3] ?? '';
      await ledger.tamper(...statements(id));
      const { faults, closed } = await proveOn(ledger.db, 1);
      expect(faults).toContainEqual({ what: CHANGED, id: await monthOf(id) });
      expect(closed).toEqual([]);
      // The period is not due, but is checked again because it differed.
      const again = await proveOn(ledger.db, 1 / 1_000);
      expect(again.faults).toContainEqual({ what: CHANGED, id: await monthOf(id) });
      expect(whatOf((await checkLedger(ledger.db)).faults)).toContain(CHANGED);
    },
  );

  it('finds a transfer added to an old period, by an old id or a slow clock', async () => {
    await aClosedYear();
    const id = await ledger.transfer({ user, paise: 300, monthsAgo: 5 });
    const { faults } = await proveOn(ledger.db, 1);
    expect(whatOf(faults)).toEqual(['the balance kept is not the sum of the entries', CHANGED]);
    expect(faults).toContainEqual({ what: CHANGED, id: await monthOf(id) });
    // The rows themselves are sound; the stored totals differ.
    expect(whatOf((await checkLedger(ledger.db)).faults)).toEqual([
      CHANGED,
      'the stored sum of an account is not that of its entries',
    ]);
  });

  it('is proved again from the start once the owner deletes the stored totals', async () => {
    await aClosedYear();
    await ledger.transfer({ user, paise: 300, monthsAgo: 5 });
    await ledger.tamper('TRUNCATE ledger_periods, ledger_account_sums');
    const { faults, closed } = await proveOn(ledger.db, 1);
    expect(faults).toEqual([]);
    expect(closed.length).toBeGreaterThanOrEqual(11);
    expect((await checkLedger(ledger.db)).faults).toEqual([]);
  });

  it.each([
    [
      'a sum of a wallet',
      `UPDATE ledger_account_sums SET paise = paise + 1 WHERE account_id = (SELECT id FROM accounts WHERE kind = 'user')`,
    ],
    [
      'sums of our own accounts that make up for each other',
      `INSERT INTO ledger_account_sums SELECT id, 5 FROM accounts WHERE kind = 'held'
       UNION ALL SELECT id, -5 FROM accounts WHERE kind = 'shortfall'`,
    ],
    [
      'a sum that is gone',
      `DELETE FROM ledger_account_sums WHERE account_id = (SELECT id FROM accounts WHERE kind = 'user')`,
    ],
    [
      'a digest',
      `UPDATE ledger_periods SET digest = '0:0 0:0' WHERE month = (SELECT min(month) FROM ledger_periods)`,
    ],
    [
      'a count',
      `UPDATE ledger_periods SET transfers = 2 WHERE month = (SELECT max(month) FROM ledger_periods)`,
    ],
    [
      'the last month gone',
      `DELETE FROM ledger_periods WHERE month = (SELECT max(month) FROM ledger_periods)`,
    ],
    [
      'an old month gone',
      `DELETE FROM ledger_periods WHERE month = (SELECT max(month) FROM ledger_periods WHERE month < (SELECT max(month) FROM ledger_periods))`,
    ],
    ['all months gone', `DELETE FROM ledger_periods`],
    [
      'a wallet’s balance and its stored sum together',
      `UPDATE accounts SET balance_paise = balance_paise + 5 WHERE kind = 'user';
       UPDATE ledger_account_sums SET paise = paise + 5 WHERE account_id = (SELECT id FROM accounts WHERE kind = 'user');
       UPDATE ledger_account_sums SET paise = paise - 5 WHERE account_id = (SELECT id FROM accounts WHERE kind = 'clearing')`,
    ],
  ])('finds changed stored totals: %s', async (_what, statement) => {
    await aClosedYear();
    await ledger.tamper(statement);
    expect((await proveOn(ledger.db, 1)).faults).not.toEqual([]);
    expect((await checkLedger(ledger.db)).faults).not.toEqual([]);
  });

  it('does not let the service change a proof', async () => {
    await aClosedYear();
    for (const statement of [
      `UPDATE ledger_periods SET digest = ''`,
      'DELETE FROM ledger_periods',
      'TRUNCATE ledger_periods',
    ])
      await expect(sql.raw(statement).execute(ledger.db)).rejects.toThrow(/permission denied/);
    await expect(ledger.transfer({ user, paise: 1, monthsAgo: 0 })).resolves.toBeDefined();
  });

  it('closes no period while there is a fault, and none before a day after its end', async () => {
    for (const monthsAgo of [4, 3, 2]) await ledger.transfer({ user, paise: 100, monthsAgo });
    await ledger.tamper(`UPDATE accounts SET balance_paise = balance_paise + 1 WHERE kind = 'user'`);
    const found = await proveOn(ledger.db, 1);
    expect(whatOf(found.faults)).toEqual(['the balance kept is not the sum of the entries']);
    expect(found.closed).toEqual([]);
    await ledger.tamper(`UPDATE accounts SET balance_paise = balance_paise - 1 WHERE kind = 'user'`);
    expect((await proveOn(ledger.db, 1)).closed).not.toEqual([]);
    const { rows } = await sql<{ early: number }>`
      SELECT count(*)::int AS early FROM ledger_periods
      WHERE to_date(month, 'YYYY_MM') + interval '1 month' + interval '1 day' > now() AT TIME ZONE 'UTC'`.execute(
      ledger.db,
    );
    expect(rows).toEqual([{ early: 0 }]);
  });

  it('finds faults in the open period: an entry without a transfer, a top-up without an order', async () => {
    await aClosedYear();
    const id = uuidv7();
    await ledger.tamper(
      'ALTER TABLE entries DROP CONSTRAINT entries_transfer_id_fkey',
      `INSERT INTO entries SELECT '${id}', id, 5 FROM accounts WHERE kind = 'held'`,
      `INSERT INTO entries SELECT '${id}', id, -5 FROM accounts WHERE kind = 'shortfall'`,
      `UPDATE transfers SET idempotency_key = 'razorpay:pay_1' WHERE id = (SELECT id FROM transfers ORDER BY id DESC LIMIT 1)`,
    );
    expect(whatOf((await proveOn(ledger.db, 1)).faults)).toEqual([
      'an entry has no transfer',
      'a top-up credit has no paid order',
    ]);
  });
});

it('finds any change of any old row, and nothing without a change', async () => {
  const move = fc.record({
    paise: fc.integer({ min: 1, max: 500 }),
    monthsAgo: fc.integer({ min: 0, max: 8 }),
  });
  const change = fc.constantFrom('none', 'amounts', 'reference', 'gone', 'added', 'swapped');
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { minLength: 3, maxLength: 8 }),
      change,
      fc.nat(),
      async (moves, how, nth) => {
        await ledger.tamper(
          'TRUNCATE ledger_periods, ledger_account_sums',
          'DELETE FROM entries',
          'DELETE FROM transfers',
          `UPDATE accounts SET balance_paise = 0 WHERE kind = 'user'`,
        );
        const old: string[] = [];
        for (const one of moves) {
          const id = await ledger.transfer({ user, ...one });
          if (one.monthsAgo >= 2) old.push(id);
        }
        expect((await proveOn(ledger.db, 1)).faults).toEqual([]);
        const victim = old[nth % Math.max(1, old.length)];
        const changed = how !== 'none' && victim !== undefined;
        if (victim !== undefined) await alter(how, victim);
        const { faults } = await proveOn(ledger.db, 1);
        expect(faults.some(({ what }) => what === CHANGED)).toBe(changed);
        expect(faults.length > 0).toBe(changed);
      },
    ),
    { numRuns: 25 },
  );
});

/** Changes an old row; `amounts` and `added` leave all balances correct. */
async function alter(how: string, id: string): Promise<void> {
  const rebalance = `UPDATE accounts a SET balance_paise = (SELECT coalesce(sum(amount_paise), 0) FROM entries WHERE account_id = a.id) WHERE kind = 'user'`;
  const statements: Record<string, string[]> = {
    none: [],
    amounts: [
      `UPDATE entries SET amount_paise = amount_paise + sign(amount_paise) WHERE transfer_id = '${id}'`,
      `UPDATE transfers SET amount_paise = amount_paise + 1 WHERE id = '${id}'`,
      rebalance,
    ],
    reference: [`UPDATE transfers SET reference = reference || ' ' WHERE id = '${id}'`],
    gone: [
      `DELETE FROM entries WHERE transfer_id = '${id}'`,
      `DELETE FROM transfers WHERE id = '${id}'`,
      rebalance,
    ],
    added: [
      `INSERT INTO transfers SELECT overlay(id::text placing '0000' from 20)::uuid, 'added', from_account, to_account, 1, '', '', 0 FROM transfers WHERE id = '${id}'`,
      `INSERT INTO entries SELECT t.id, a.account, a.paise FROM transfers t, LATERAL (VALUES (t.from_account, -1), (t.to_account, 1)) a(account, paise) WHERE t.idempotency_key = 'added'`,
      rebalance,
    ],
    swapped: [`UPDATE entries SET amount_paise = -amount_paise WHERE transfer_id = '${id}'`],
  };
  await ledger.tamper(...(statements[how] ?? []));
}

describe('the replicas of the service', () => {
  const logger = createLogger({ name: 'wallet', level: 'silent' });
  const replica = () => ({ db: ledger.db, reader: ledger.db, everyS: 3_600, logger });
  const due = () => sql`UPDATE ledger_proof SET next_at = now()`.execute(ledger.db);
  const attempts = async () => (await readProof(ledger.db)).attempts;

  it('prove the ledger once when it is due, and not before it is due again', async () => {
    await due();
    const done = await Promise.all([1, 2, 3, 4].map(() => proveIfDue(replica())));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await proveIfDue(replica())).toBe(false);
    expect(await attempts()).toBe(1);
    const row = await readProof(ledger.db);
    expect(row.faults).toBe(0);
    expect(row.next_at.getTime() - row.checked_at.getTime()).toBe(3_600_000);
  });

  it('take over from a replica that was killed during its proof', async () => {
    await due();
    const script = `
      const { createDb } = await import('@karaar/db');
      const { claimProof } = await import(process.env.MODULE);
      const db = createDb({ url: process.env.URL, max: 1, applicationName: 'dies' });
      process.stdout.write(String((await claimProof(db)).attempts));
      setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env: {
        ...process.env,
        URL: ledger.runtimeUrl,
        MODULE: join(import.meta.dirname, '../src/features/ledger/ledger-proofs.repository.ts'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('1');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await proveIfDue(replica())).toBe(false);
    // Expires the lease, by the database's clock.
    await sql`UPDATE ledger_proof SET lease_until = lease_until - ${LEASE_MS + 1_000} * interval '1 millisecond'`.execute(
      ledger.db,
    );
    expect(await proveIfDue(replica())).toBe(true);
    expect(await attempts()).toBe(2);
  });

  it('store the faults that they found, and find them again', async () => {
    await aClosedYear();
    await ledger.tamper(`UPDATE accounts SET balance_paise = balance_paise + 1 WHERE kind = 'user'`);
    for (const _ of [1, 2]) {
      await due();
      await proveIfDue(replica());
      expect((await readProof(ledger.db)).faults).toBe(1);
    }
  });

  it('try again soon after a proof that could not be carried out', async () => {
    await due();
    const broken: Db = createDb<Database>({
      url: 'postgres://nobody@127.0.0.1:1/none',
      max: 1,
      applicationName: 'x',
    });
    expect(await proveIfDue({ ...replica(), reader: broken })).toBe(false);
    await broken.destroy();
    const { lease_until: lease, next_at: next, checked_at: checked } = await readProof(ledger.db);
    expect(lease).toBeNull();
    expect(next.getTime() - Date.now()).toBeLessThan(600_000);
    expect(checked.getTime()).toBeLessThan(Date.now());
  });

  it('prove all rows if that has not happened for a day, and store faults that only this proof finds', async () => {
    const ids = await aClosedYear();
    // A refusal of a key whose transfer is old: no row of a closed period has changed.
    await ledger.tamper(
      `INSERT INTO refusals SELECT idempotency_key, to_account, 1, 1, created_at - interval '1 year' FROM transfers WHERE id = '${ids[2] ?? ''}'`,
    );
    await due();
    await proveIfDue(replica());
    expect(await readProof(ledger.db)).toMatchObject({ faults: 0, whole_faults: 0 });
    await sql`UPDATE ledger_proof SET next_at = now(), whole_at = now() - interval '27 hours'`.execute(
      ledger.db,
    );
    await proveIfDue(replica());
    expect(await readProof(ledger.db)).toMatchObject({ faults: 0, whole_faults: 1 });
  });
});
