/** `karaar check`: proves what a running installation says of itself. */
import { equal } from '@karaar/proof/bytes';
import { leafHash } from '@karaar/proof/log/merkle';
import { appendLeaves, rootOf, type TileReader } from '@karaar/proof/log/tiles';
import { partitionStates } from '@karaar/platform/partitions';
import type { Database as Documents } from '@karaar/service-documents/db/schema';
import {
  latestCheckpoint,
  readEntries,
  tileReader,
} from '@karaar/service-documents/features/transparency-log/log.repository';
import type { Database as Payments } from '@karaar/service-payments/db/schema';
import type { Database as Wallet } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import { sql, type Kysely } from 'kysely';
import { checkCharges } from './charges.ts';
import { withDatabase, type ServiceDatabase } from './databases.ts';

export type Finding = { what: string; text: string; ok: boolean };

/** Looks at the ledger, the payments against it, the log, every service's events and its partitions. Reads only. */
export async function checkAll(databases: readonly ServiceDatabase[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const database of databases) {
    if (database.service === 'wallet') findings.push(await withDatabase<Wallet, Finding>(database, ledger));
    if (database.service === 'documents')
      findings.push(await withDatabase<Documents, Finding>(database, log));
    findings.push(await withDatabase(database, (db) => events(db, database.service)));
    findings.push(await withDatabase(database, (db) => partitions(db, database.service)));
  }
  const [payments, wallet] = ['payments', 'wallet'].map((name) =>
    databases.find(({ service }) => service === name),
  );
  if (payments && wallet) findings.push(await charges(payments, wallet));
  return findings;
}

const charges = (payments: ServiceDatabase, wallet: ServiceDatabase): Promise<Finding> =>
  withDatabase<Payments, Finding>(payments, (ours) =>
    withDatabase<Wallet, Finding>(wallet, async (theirs) => {
      const read = await checkCharges(ours, theirs);
      const lines = read.faults.slice(0, 20).map(({ what, id }) => `; ${what}: ${id}`);
      return {
        what: 'payments',
        text: `${read.payments} payments and ${read.debits} debits, ${read.faults.length} faults${lines.join('')}`,
        ok: read.faults.length === 0,
      };
    }),
  );

async function ledger(db: Kysely<Wallet>): Promise<Finding> {
  const { totalPaise, transfers, wallets, faults } = await checkLedger(db);
  const lines = faults.slice(0, 20).map(({ what, id }) => `; ${what}: ${id}`);
  return {
    what: 'ledger',
    text: `${transfers} transfers, ${wallets} wallets, Σ ${totalPaise} paise, ${faults.length} faults${lines.join('')}`,
    ok: faults.length === 0 && totalPaise === '0',
  };
}

const BATCH = 4_096;

/** Builds the tree anew from the entries alone and holds its root against the signed one. */
async function log(db: Kysely<Documents>): Promise<Finding> {
  const last = await latestCheckpoint(db);
  if (!last) return { what: 'log', text: 'nothing is logged yet', ok: true };
  const grown = new Map<string, readonly Uint8Array[]>();
  const read: TileReader = async ({ level, index }) => grown.get(`${level}/${index}`) ?? [];
  let size = 0;
  while (size < last.size) {
    const entries = await readEntries(db, size, Math.min(BATCH, last.size - size));
    if (entries.length === 0) break;
    for (const tile of await appendLeaves(read, size, entries.map(leafHash)))
      grown.set(`${tile.level}/${tile.index}`, tile.hashes);
    size += entries.length;
  }
  const root = await rootOf(read, size);
  const stored = await rootOf(tileReader(db), last.size);
  const ok = size === last.size && equal(root, last.root) && equal(stored, last.root);
  const hex = Buffer.from(root).toString('hex');
  return {
    what: 'log',
    text: `${size} of ${last.size} entries, root ${hex}${ok ? '' : ' is NOT the signed one'}`,
    ok,
  };
}

async function events(db: Kysely<unknown>, service: string): Promise<Finding> {
  const { rows } = await sql<{ waiting: number; parked: number; dead: number }>`
    select (select count(*)::int from outbox where published_at is null and parked_at is null
              and occurred_at < now() - interval '5 minutes') as waiting,
           (select count(*)::int from outbox where parked_at is not null) as parked,
           (select count(*)::int from dead_letter) as dead`.execute(db);
  const { waiting = 0, parked = 0, dead = 0 } = rows[0] ?? {};
  return {
    what: `events of ${service}`,
    text: `${waiting} wait for more than 5 minutes, ${parked} parked, ${dead} dead letters`,
    ok: waiting + parked + dead === 0,
  };
}

async function partitions(db: Kysely<unknown>, service: string): Promise<Finding> {
  const states = await partitionStates(db);
  const short = states.filter(({ monthsAhead, misplaced }) => monthsAhead < 1 || misplaced > 0);
  const lines = short.map(
    ({ table, monthsAhead, misplaced }) =>
      `; ${table}: ${monthsAhead.toFixed(1)} months ahead, ${misplaced} rows in the default partition`,
  );
  return {
    what: `partitions of ${service}`,
    text: `${states.length} tables in ${states.reduce((sum, one) => sum + one.partitions, 0)} parts${lines.join('')}`,
    ok: short.length === 0,
  };
}
