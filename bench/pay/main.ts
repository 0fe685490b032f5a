/**
 * The pay endpoint at a fixed arrival rate through the whole product: gateway, payments, documents (what is charged),
 * wallet (the debit), Postgres and broker (design §4). Many people pay their own shares of many documents, each share
 * once; latency counts from the moment a payment was due. What a payment costs each process is told as well.
 */
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { createDb } from '@karaar/platform/db-kit';
import type { Database } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import { Agent, request } from 'undici';
import { databasesOf } from '../faults/run.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { fixedRate } from '../lib/fixed-rate.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { costsPerPayment, factsApplied, inWords, readCosts, total, type Costs } from './costs.ts';
import { lineOf, missingLines, sharesToPay, tidied, type Due } from './shares.ts';
import { makePayers, PAYERS_ENV } from './payers.ts';
import { watchStalls } from './stalls.ts';
import { countStatements, shownStatements } from './statements.ts';

/** Payments per second and core: at 11 ms of processor time each, of all parts, little more than half of what there is. */
const RATE_PER_CORE = 50;
/** Payments per second: 200 on four cores. */
const RATE = size('BENCH_RATE', RATE_PER_CORE * availableParallelism(), 10);
const SECONDS = size('BENCH_SECONDS', 30, 1);
const PAYERS = size('BENCH_PAYERS', 200, 4);
const WARM_UP_S = isSmoke ? 1 : 5;
/** With a folder in it, each process writes its processor profile there when it ends. */
const PROFILES = process.env['BENCH_PROFILES'];

const keepAlive = setInterval(() => undefined, 60_000);
const agent = new Agent({ connections: 128, keepAliveTimeout: 60_000 });
const product = await startProduct({
  stateDir: await mkdtemp(join(tmpdir(), 'karaar-pay-')),
  quiet: true,
  web: false,
  env: {
    LOG_LEVEL: 'info',
    ...PAYERS_ENV,
    ...(PROFILES ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${PROFILES}` } : {}),
  },
});

/** What was told to be completed: no more and no less has to be in the histories at the end. */
const completed = new Map<string, Due>();
/** How often a payment was refused, by status and code. */
const refused = new Map<string, number>();

async function pay(due: Due): Promise<void> {
  const { who, path } = due;
  const { statusCode, body } = await request(`${product.url}/api${path}`, {
    method: 'POST',
    headers: { ...who.headers, 'content-type': 'application/json' },
    body: '{}',
    dispatcher: agent,
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.includes('"completed"')) {
    const why = `${statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`;
    refused.set(why, (refused.get(why) ?? 0) + 1);
    throw new Error(`${statusCode} ${text}`);
  }
  completed.set(lineOf(due), due);
}

async function ledgerFaults(): Promise<number> {
  const url = databasesOf(product).wallet;
  const db = createDb<Database>({ url, max: 1, applicationName: 'bench-pay' });
  const ledger = await checkLedger(db).finally(() => db.destroy());
  return ledger.faults.length + Math.abs(Number(ledger.totalPaise));
}

function costRows(costs: Costs): Row[] {
  return [
    {
      what: 'processor time per payment',
      value: total(costs.cpuMs),
      unit: 'ms',
      note: `${inWords(costs.cpuMs)}; with all that follows from it`,
    },
    { what: 'commits per payment', value: total(costs.commits), unit: '', note: inWords(costs.commits) },
    { what: 'messages kept per payment', value: total(costs.facts), unit: '', note: inWords(costs.facts) },
    {
      what: 'syncs of the log per payment',
      value: costs.walSyncs,
      unit: '',
      note: `${costs.walKB.toFixed(1)} KB written`,
    },
  ];
}

try {
  await countStatements(product);
  const payers = await makePayers(product, PAYERS);
  const warmUp = RATE * WARM_UP_S;
  const measured = RATE * SECONDS;
  const due = await sharesToPay(product, payers, warmUp + measured);
  await missingLines(product, new Set());
  await factsApplied(product);
  await tidied(product);
  const payNumber = (index: number): Promise<void> => {
    const share = due[index];
    if (!share) throw new Error('no share is left');
    return pay(share);
  };
  const warm = await fixedRate({ rate: RATE, durationMs: WARM_UP_S * 1_000, task: payNumber });
  await shownStatements(product);
  const before = await readCosts(product);
  const seen = await watchStalls(product.backing.postgresUrl);
  const paced = await fixedRate({
    rate: RATE,
    durationMs: SECONDS * 1_000,
    task: (index) => payNumber(warmUp + index),
  });
  const stalls = await seen();
  const behind = performance.now();
  const lost = await missingLines(product, new Set(completed.keys()));
  const told = completed.size;
  const lateMs = performance.now() - behind;
  const costs = costsPerPayment(before, await readCosts(product), paced.completed);
  for (const line of await shownStatements(product, paced.completed)) console.log(line);
  // Repeating a payment costs no debit; how many of those a second shows what the way itself carries.
  const paid = [...completed.values()];
  let again = 0;
  const repeats = await closedLoop({
    concurrency: 16,
    durationMs: isSmoke ? 300 : 3_000,
    task: () => pay(paid[(again = (again + 1) % paid.length)] as Due),
  });
  for (const fault of [...warm.faults, ...paced.faults]) console.log(`FAULT ${fault}`);
  if (refused.size > 0) console.log(`REFUSED ${[...refused].map(([why, n]) => `${n} × ${why}`).join(', ')}`);
  for (const line of lost.slice(0, 5))
    console.log(`LOST the completed payment of (document, person) ${line}`);
  process.exitCode = report({
    name: 'pay',
    rows: [
      {
        what: `pay at ${RATE}/s: p99`,
        value: paced.latency.p99,
        unit: 'ms',
        budget: { atMost: 50 },
        note: `p50 ${paced.latency.p50.toFixed(1)}, p90 ${paced.latency.p90.toFixed(1)}, max ${paced.latency.max.toFixed(0)} ms of ${paced.offered} due in ${SECONDS} s, by ${PAYERS} people`,
      },
      {
        what: 'failed or dropped',
        value: paced.failed + paced.dropped,
        unit: '',
        budget: { atMost: 0 },
        note: `${warm.failed + warm.dropped} in the warm-up of ${WARM_UP_S} s`,
      },
      {
        what: 'completed, and not in a history',
        value: lost.length,
        unit: '',
        budget: { atMost: 0 },
        note: `of ${told}, the warm-up included`,
      },
      ...costRows(costs),
      ...stalls,
      { what: 'until the last fact was applied', value: lateMs, unit: 'ms', budget: { atMost: 2_000 } },
      { what: 'repeats, all callers busy', value: repeats.throughput, unit: '/s', note: '16 callers' },
      {
        what: 'faults of the ledger, |Σ entries|',
        value: await ledgerFaults(),
        unit: '',
        budget: { atMost: 0 },
      },
    ],
    data: { paced, costs },
  });
} finally {
  await agent.close();
  await product.stop({ remove: true });
  clearInterval(keepAlive);
}
