/**
 * The pay endpoint at a fixed arrival rate through the whole product: gateway, payments, documents (what is charged),
 * wallet (the debit), Postgres and broker (design §4). Latency counts from the moment a payment was due.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product } from '@karaar/dev/product';
import { createDb } from '@karaar/platform/db-kit';
import type { Database } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import pg from 'pg';
import { approvedAgreement, copies } from '../faults/agreements.ts';
import { paidOrder, signIn, type Payer } from '../faults/people.ts';
import { databasesOf, sendAs, shareOut } from '../faults/run.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { fixedRate } from '../lib/fixed-rate.ts';
import { report } from '../lib/report.ts';

/** Payments per second. */
const RATE = 200;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
const WARM_UP_S = 5;
const PHONES = ['+919000000001', '+919000000002'] as const;
const ROOM = '10000000';

type Due = { who: Payer; path: string };

/** Shares to pay, one of each of two parties per document, in an order in which the parties take turns. */
async function sharesToPay(product: Product, count: number): Promise<Due[]> {
  const [owner, guest] = await Promise.all([signIn(product.url, PHONES[0]), signIn(product.url, PHONES[1])]);
  for (const who of [owner, guest]) {
    const { checkout } = await paidOrder(product.process('sandbox').url, who, 1_00_000);
    await who.call('POST', '/wallet/verify-razorpay-payment', checkout);
  }
  const model = await approvedAgreement(
    owner,
    guest,
    (who) => (path, form) => sendAs(product.url, who, path, form),
  );
  const documents = new pg.Client({ connectionString: databasesOf(product).documents });
  await documents.connect();
  const ids = await copies(documents, model, Math.ceil(count / 2));
  await documents.end();
  const waiting = [...ids];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await shareOut(owner, guest, id);
    }),
  );
  return ids.flatMap((id) => [owner, guest].map((who) => ({ who, path: `/payments/document/${id}/pay` })));
}

const keepAlive = setInterval(() => undefined, 60_000);
const product = await startProduct({
  stateDir: join(await mkdtemp(join(tmpdir(), 'karaar-pay-')), 'state'),
  quiet: true,
  web: false,
  env: { LOG_LEVEL: 'error', RATE_LIMIT_SENSITIVE_PER_MINUTE: ROOM, RATE_LIMIT_PER_MINUTE: ROOM },
});
try {
  const warmUp = RATE * WARM_UP_S;
  const due = await sharesToPay(product, RATE * SECONDS + warmUp);
  const pay = async (index: number) => {
    const share = due[index];
    if (!share) throw new Error('no share is left');
    const response = await fetch(`${product.url}/api${share.path}`, {
      method: 'POST',
      headers: { ...share.who.headers, 'content-type': 'application/json' },
      body: '{}',
    });
    const body = (await response.json()) as Record<string, unknown>;
    if (response.status !== 200 || body['status'] !== 'completed')
      throw new Error(`${response.status} ${JSON.stringify(body)}`);
  };
  const paced = await fixedRate({
    rate: RATE,
    durationMs: SECONDS * 1_000,
    warmUpMs: WARM_UP_S * 1_000,
    task: pay,
  });
  // Repeating a payment costs no debit; how many of those a second shows what the way itself carries.
  let again = 0;
  const repeats = await closedLoop({
    concurrency: 16,
    durationMs: 3_000,
    task: () => pay((again = (again + 1) % warmUp)),
  });
  const db = createDb<Database>({
    url: databasesOf(product).wallet,
    max: 1,
    applicationName: 'bench-pay',
  });
  const ledger = await checkLedger(db).finally(() => db.destroy());
  for (const fault of paced.faults) console.log(`FAULT ${fault}`);
  process.exitCode = report({
    name: 'pay',
    rows: [
      {
        what: `pay at ${RATE}/s: p99`,
        value: paced.latency.p99,
        unit: 'ms',
        budget: { atMost: 50 },
        note: `p50 ${paced.latency.p50.toFixed(1)} ms of ${paced.offered} due in ${SECONDS} s; two wallets take turns`,
      },
      { what: 'failed or dropped', value: paced.failed + paced.dropped, unit: '', budget: { atMost: 0 } },
      { what: 'repeats, all callers busy', value: repeats.throughput, unit: '/s', note: '16 callers' },
      {
        what: 'faults of the ledger, |Σ entries|',
        value: ledger.faults.length + Math.abs(Number(ledger.totalPaise)),
        unit: '',
        budget: { atMost: 0 },
      },
    ],
    data: { paced },
  });
} finally {
  await product.stop({ remove: true });
  clearInterval(keepAlive);
}
