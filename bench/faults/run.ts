/** Runs the load on a product while it is harmed, by kills or cuts, and compares the outcomes afterwards. */
import { makeModels } from '@karaar/testing/faces/models';
import type { Product, ProductOptions } from '@karaar/dev/product';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import { adminToken, callerOf } from '@karaar/e2e/src/person.ts';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { scratch } from '@karaar/testing/scratch';
import type { ProcessName } from '@karaar/dev/processes/services';
import { approvedAgreement } from '../lib/agreements.ts';
import { bundled } from '../lib/bundles.ts';
import { demoUsers, HURRIED } from '../lib/people.ts';
import { databasesOf, unlimited } from '../lib/product.ts';
import { none, row, type Measured, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { checkMoney, settled, type SentBack } from './findings.ts';
import { moneyLoad } from './load/money.ts';
import { otherLoad } from './load/others.ts';
import { checkOthers } from './other-findings.ts';
import { Outcomes } from './outcomes.ts';

/** The processes that are harmed; the sandboxes belong to the world outside. */
export const SERVICES = [
  'gateway',
  ...SERVICE_NAMES,
  'witness',
  'broker-admin',
  'converter',
] as const satisfies readonly ProcessName[];

const REPORT_EVERY_MS = 15_000;

/** Ends a run early at SIGTERM, at SIGINT or after `BENCH_SECONDS`; it settles then and is judged. */
export function endOf(seconds?: number): AbortSignal {
  const control = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.once(name, () => control.abort(`ended by ${name}`));
  const limit = process.env['BENCH_SECONDS'] ?? seconds;
  if (limit !== undefined)
    setTimeout(() => control.abort(`ended after ${limit} s`), Number(limit) * 1_000).unref();
  return control.signal;
}

export interface Harm {
  /** Its plural: `kills`. */
  readonly what: string;
  readonly done: number;
  /** The parts that did not come back; they end the run. */
  readonly stuck: readonly string[];
  /** Harms the product `times` times, unless `signal` ends it. @param work returns the number of outcomes so far */
  run(times: number, work: () => number, signal: AbortSignal): Promise<void>;
}

/** Starts a product whose parts are bundles; a smoke run bundles only some of them. */
export async function withBundles<T>(
  { env, ...options }: Partial<ProductOptions>,
  smokeBundles: readonly ProcessName[],
  use: (product: Product) => Promise<T>,
): Promise<T> {
  const { dir, remove } = scratch();
  try {
    const entries = await bundled(isSmoke ? smokeBundles : SERVICES, dir);
    const own = { MODELS_DIR: await makeModels(), LOG_LEVEL: 'error', ...env };
    const all = { ...unlimited, entries, restartPauseMs: 20, ...options };
    return await withProduct({ ...all, env: { ...unlimited.env, ...own } }, use);
  } finally {
    remove();
  }
}

export type Plan = {
  times: number;
  settleMs: number;
  signal: AbortSignal;
  checks?: () => Promise<Row[]>;
};

/** Harms a new product under load as often as planned, lets it settle and compares the outcomes. */
export async function runFaults(product: Product, harm: Harm, plan: Plan): Promise<Measured> {
  const { times, settleMs, signal } = plan;
  const { url } = product;
  const [owner, guest] = await demoUsers(url, HURRIED);
  const admin = callerOf(url, await adminToken(url), HURRIED).call;
  const urls = databasesOf(product);
  const sandbox = product.process('sandbox').url;
  const model = await approvedAgreement(owner, guest);
  const outcomes = new Outcomes();
  let over = false;
  const isOver = () => over;
  const world = { url, owner, guest, admin, sandbox, documents: urls.documents, model, outcomes, isOver };
  const loads = [...(await moneyLoad(world)), ...otherLoad(world)];
  const progress = () => console.log(`${harm.done} of ${times} ${harm.what}, ${outcomes.work} payments`);
  const timer = setInterval(progress, REPORT_EVERY_MS);
  await harm.run(times, () => outcomes.work, signal);
  over = true;
  console.log(`${harm.done} ${harm.what} are done; letting it settle`);
  await Promise.all(loads);
  const open = await settled(urls, outcomes, settleMs);
  clearInterval(timer);
  const sentBack = (await (await fetch(`${sandbox}/dev/razorpay/refunds`)).json()) as SentBack[];
  const all = [await checkMoney(urls, outcomes, sentBack), await checkOthers(url, owner, urls, outcomes)];
  const found = (key: 'lost' | 'doubled' | 'wrong') => all.flatMap((findings) => findings[key]);
  const [lost, doubled] = [found('lost'), found('doubled')];
  const wrong = [...harm.stuck, ...outcomes.wrong, ...found('wrong')];
  for (const fault of [...lost, ...doubled, ...wrong].slice(0, 40)) console.log(`FAULT ${fault}`);
  for (const one of open) console.log(`STILL IN PROGRESS ${one}`);
  const note = harm.done < times ? String(signal.reason ?? 'a part stayed down') : undefined;
  return {
    rows: [
      row(harm.what, harm.done, '', { atLeast: times, note }),
      ...outcomes.rows(),
      ...((await plan.checks?.()) ?? []),
      none('lost', lost.length),
      none('doubled', doubled.length),
      none('wrong answers and states, faults of the ledger', wrong.length),
      none(`still in progress after ${settleMs / 1_000} s`, open.length),
    ],
    data: { lost, doubled, wrong, open },
  };
}
