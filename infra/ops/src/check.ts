import { partitionStates } from '@karaar/db/partitions';
import { checkLog } from '@karaar/service-documents/ops';
import { checkLedger } from '@karaar/service-wallet/ops';
import { sql, type Kysely } from 'kysely';
import { checkCharges } from './charges.ts';
import { withDatabase, type ServiceDatabase } from './databases.ts';

export type Finding = { what: string; text: string; ok: boolean };

/** Checks the ledger, the payments, the log, and every service's events and partitions. Changes nothing. */
export async function checkAll(databases: readonly ServiceDatabase[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const database of databases) {
    const { service } = database;
    if (service === 'wallet') findings.push(await ledger(database));
    if (service === 'documents') findings.push(await log(database));
    findings.push(await withDatabase(database, (db) => events(db, service)));
    findings.push(await withDatabase(database, (db) => partitions(db, service)));
  }
  const payments = databases.find(({ service }) => service === 'payments');
  const wallet = databases.find(({ service }) => service === 'wallet');
  if (payments && wallet) findings.push(await charges(payments, wallet));
  return findings;
}

type Fault = { what: string; id: string };
const MOST_LINES = 20;

const withFaults = (what: string, text: string, faults: readonly Fault[], ok = true): Finding => ({
  what,
  text: [
    `${text}, ${faults.length} faults`,
    ...faults.slice(0, MOST_LINES).map((one) => `${one.what}: ${one.id}`),
  ].join('; '),
  ok: ok && faults.length === 0,
});

async function charges(ofPayments: ServiceDatabase, ofWallet: ServiceDatabase): Promise<Finding> {
  const { payments, debits, faults } = await withDatabase(ofPayments, (ours) =>
    withDatabase(ofWallet, (theirs) => checkCharges(ours, theirs)),
  );
  return withFaults('payments', `${payments} payments and ${debits} debits`, faults);
}

async function ledger(database: ServiceDatabase): Promise<Finding> {
  const { totalPaise, transfers, wallets, faults } = await withDatabase(database, checkLedger);
  const text = `${transfers} transfers, ${wallets} wallets, Σ ${totalPaise} paise`;
  return withFaults('ledger', text, faults, totalPaise === '0');
}

async function log(database: ServiceDatabase): Promise<Finding> {
  const read = await withDatabase(database, checkLog);
  if (!read) return { what: 'log', text: 'nothing is logged yet', ok: true };
  const { size, signed, root, ok } = read;
  const verdict = ok ? '' : ' is NOT the signed one';
  return {
    what: 'log',
    text: `${size} of ${signed} entries, root ${Buffer.from(root).toString('hex')}${verdict}`,
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
