/** Many users pay their shares of many documents through the whole product, each share once. */
import { availableParallelism } from 'node:os';
import type { Product } from '@karaar/dev/product';
import { createDb } from '@karaar/db';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import type { Database } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import { Agent, request } from 'undici';
import { fixedRate } from '../lib/fixed-rate.ts';
import { databasesOf, unlimited } from '../lib/product.ts';
import { none, report, row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { costRows, readCosts } from '../lib/costs.ts';
import { eventsApplied, lineOf, makePayers, missingLines, sharesToPay, tidied, type Due } from './shares.ts';

/** Payments per second and core: they use about half of a core. */
const RATE_PER_CORE = 50;
const RATE = size('BENCH_RATE', RATE_PER_CORE * availableParallelism(), 10);
const SECONDS = size('BENCH_SECONDS', 30, 1);
const PAYERS = size('BENCH_PAYERS', 200, 4);
const WARM_UP_S = isSmoke ? 1 : 5;

const agent = new Agent({ connections: 128, keepAliveTimeout: 60_000 });
/** Payments answered as completed. Each must be in a document's history at the end. */
const completed = new Set<string>();

async function pay(url: string, due: Due): Promise<void> {
  const { statusCode, body } = await request(`${url}/api/payments/document/${due.documentId}/pay`, {
    method: 'POST',
    headers: { ...due.who.headers, 'content-type': 'application/json' },
    body: '{}',
    dispatcher: agent,
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.includes('"completed"')) throw new Error(`${statusCode} ${text}`);
  completed.add(lineOf(due));
}

async function ledgerFaults(product: Product): Promise<number> {
  const db = createDb<Database>({ url: databasesOf(product).wallet, max: 1, applicationName: 'bench-pay' });
  try {
    const ledger = await checkLedger(db);
    return ledger.faults.length + Math.abs(Number(ledger.totalPaise));
  } finally {
    await db.destroy();
  }
}

async function measure(product: Product): Promise<number> {
  const payers = await makePayers(product, PAYERS);
  const warmUp = RATE * WARM_UP_S;
  const shares = await sharesToPay(product, payers, warmUp + RATE * SECONDS);
  await eventsApplied(product);
  const paced = (seconds: number, from: number) => {
    const task = (index: number) => pay(product.url, shares[from + index] as Due);
    return fixedRate({ rate: RATE, durationMs: seconds * 1_000, task });
  };
  const warm = await paced(WARM_UP_S, 0);
  await eventsApplied(product);
  await tidied(product);
  const before = await readCosts(product);
  const measured = await paced(SECONDS, warmUp);
  const behind = performance.now();
  await eventsApplied(product);
  const lateMs = performance.now() - behind;
  const lost = await missingLines(product, completed);
  const costs = costRows(before, await readCosts(product), {
    count: measured.completed,
    of: 'payment',
  });
  for (const fault of [...warm.faults, ...measured.faults]) console.log(`FAULT ${fault}`);
  for (const line of lost.slice(0, 5))
    console.log(`LOST the completed payment of (document, person) ${line}`);
  const { p50, p90, p99, max } = measured.latency;
  return report({
    name: 'pay',
    rows: [
      row(`pay at ${RATE}/s: p99`, p99, 'ms', {
        atMost: 50,
        note: `p50 ${p50.toFixed(1)}, p90 ${p90.toFixed(1)}, max ${max.toFixed(0)} ms of ${measured.offered} due in ${SECONDS} s, by ${PAYERS} users`,
      }),
      none(
        'failed or dropped',
        measured.failed + measured.dropped,
        `${warm.failed + warm.dropped} in the warm-up of ${WARM_UP_S} s`,
      ),
      none('completed, and not in a history', lost.length, `of ${completed.size}, the warm-up included`),
      ...costs,
      row('until the last event was applied', lateMs, 'ms', { atMost: 2_000 }),
      none('faults of the ledger, |Σ entries|', await ledgerFaults(product)),
    ],
    data: { measured },
  });
}

const env = { ...unlimited.env, LOG_LEVEL: 'info' };
process.exitCode = await withProduct({ ...unlimited, env }, measure);
await agent.close();
