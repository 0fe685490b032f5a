/** People use the product while it is harmed, by kills or cuts; then everything is counted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeModels } from '@karaar/testing/faces/models';
import type { Product, ProductOptions } from '@karaar/dev/product';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import type { ProcessName } from '@karaar/dev/processes/services';
import { approvedAgreement } from '../lib/agreements.ts';
import { bundled } from '../lib/bundles.ts';
import type { Measured } from '../lib/parts.ts';
import { DEMO, signIn, signInAdmin } from '../lib/people.ts';
import { databasesOf, unlimited, withProduct } from '../lib/product.ts';
import { row, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { otherFindings } from './findings-others.ts';
import { moneyFindings, settled, type Findings, type SentBack } from './findings.ts';
import { moneyLoad } from './load/money.ts';
import { otherLoad } from './load/others.ts';
import { Told } from './told.ts';

/** The processes of the product that are harmed; the sandboxes stand for the world outside. */
export const SERVICES = [
  'gateway',
  ...SERVICE_NAMES,
  'witness',
  'broker-admin',
  'converter',
] as const satisfies readonly ProcessName[];

/** How long none may happen before the log says what is waited for. */
const TELL_AFTER_MS = 15_000;
/** How long the product gets to settle when the run is asked to end at once. */
const HURRIED_SETTLE_MS = 4_000;

/** Why a run ends before its last harm: a signal, or its time is over. */
export type Ending = {
  readonly signal: AbortSignal;
  /** Whether a caller waits for the end now, such as a shell that sends SIGKILL next. */
  readonly hurried: () => boolean;
};

/** @param seconds after which nothing more is harmed, unless `BENCH_SECONDS` says otherwise */
export function endingOf(seconds?: number): Ending {
  const control = new AbortController();
  let hurried = false;
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.on(name, () => {
      if (hurried) process.exit(1);
      hurried = true;
      control.abort(`told to end by ${name}`);
    });
  const limit = process.env['BENCH_SECONDS'] ?? seconds;
  if (limit !== undefined)
    setTimeout(() => control.abort(`its ${limit} s were over`), Number(limit) * 1_000).unref();
  return { signal: control.signal, hurried: () => hurried };
}

/** Parts of a product under load are killed, or its connections are cut. */
export interface Harm {
  /** Its plural: `kills`. */
  readonly what: string;
  /** How often it has happened. */
  readonly done: number;
  /** The parts that did not come back; they end the run. */
  readonly stuck: readonly string[];
  /** The harms that it waits for now, in words. */
  waitsFor(): string;
  /**
   * Goes on until it has happened `times` times, something is stuck or `signal` ends it.
   *
   * @param work how much callers have got done so far, in any unit
   */
  run(times: number, work: () => number, signal: AbortSignal): Promise<void>;
}

/** Starts a product whose parts are bundles, as their images have them: a bundle is up in half of the time. */
export async function withBundles<T>(
  { env, ...options }: Partial<ProductOptions>,
  smokeBundles: readonly ProcessName[],
  use: (product: Product) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-bundles-'));
  try {
    console.log('bundling the parts as their images have them');
    const entries = await bundled(isSmoke ? smokeBundles : SERVICES, folder);
    const all = { LOG_LEVEL: 'error', MODELS_DIR: await makeModels(), ...unlimited, ...env };
    return await withProduct('faults', { entries, restartPauseMs: 20, ...options, env: all }, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export type Plan = {
  /** People only pay, or do everything that the product is there for. */
  reach: 'money' | 'all';
  times: number;
  /** After how many harms the log says how far the run is. */
  tellEvery: number;
  /** In how many milliseconds everything must have settled. */
  settleMs: number;
  ending: Ending;
  /** Rows about the harm itself. */
  rowsOfHarm: () => Row[];
  /** Rows about further checks, once everything has settled. */
  checks?: () => Promise<Row[]>;
};

/**
 * Runs the load until it has been harmed as often as planned or the run is ended, lets it settle and compares.
 *
 * @param product a fresh one, with its sandboxes and demo people
 */
export async function runFaults(product: Product, harm: Harm, plan: Plan): Promise<Measured> {
  const { reach, times, ending } = plan;
  const { url } = product;
  const [owner, guest] = await Promise.all([signIn(url, DEMO[0]), signIn(url, DEMO[1])]);
  const admin = await signInAdmin(url);
  const urls = databasesOf(product);
  const sandbox = product.process('sandbox').url;
  const model = await approvedAgreement(url, owner, guest);
  const told = new Told();
  let over = false;
  const world = { url, owner, guest, admin, sandbox, documents: urls.documents, model, told };
  const isOver = () => over;
  const loads = [...(await moneyLoad(world, isOver)), ...(reach === 'all' ? otherLoad(world, isOver) : [])];
  const stopTelling = tellProgress(harm, told, plan);
  await harm.run(times, () => told.work, ending.signal);
  over = true;
  console.log(`${harm.done} ${harm.what} are done; letting it settle`);
  const hurried = ending.hurried();
  await Promise.race([Promise.all(loads), ...(hurried ? [sleep(2_000)] : [])]);
  const underWay = await settled(urls, told, hurried ? HURRIED_SETTLE_MS : plan.settleMs);
  stopTelling();
  const sentBack = (await (await fetch(`${sandbox}/dev/razorpay/refunds`)).json()) as SentBack[];
  const all = [await moneyFindings(urls, told, sentBack)];
  if (reach === 'all') all.push(await otherFindings(url, owner, urls, told));
  all.push({ lost: [], doubled: [], wrong: [...harm.stuck, ...told.wrong] });
  const found = (key: keyof Findings) => all.flatMap((findings) => findings[key]);
  for (const fault of [...found('lost'), ...found('doubled'), ...found('wrong')].slice(0, 40))
    console.log(`FAULT ${fault}`);
  for (const open of underWay) console.log(`STILL UNDER WAY ${open}`);
  const checks = (await plan.checks?.()) ?? [];
  const none = { atMost: 0 };
  const early = ending.signal.reason === undefined ? 'a part that stayed down' : String(ending.signal.reason);
  return {
    rows: [
      row(harm.what, harm.done, '', {
        atLeast: times,
        note: harm.done < times ? `ended early: ${early}` : undefined,
      }),
      ...plan.rowsOfHarm(),
      ...told.rows(reach),
      ...checks,
      row('lost', found('lost').length, '', none),
      row('doubled', found('doubled').length, '', none),
      row('wrong answers and states, faults of the ledger', found('wrong').length, '', none),
      row(`still under way after ${plan.settleMs / 1_000} s`, underWay.length, '', none),
    ],
    data: { lost: found('lost'), doubled: found('doubled'), wrong: found('wrong'), underWay },
  };
}

/** Logs a line every some harms, and one that says what is waited for when they stop. @returns ends it */
function tellProgress(harm: Harm, told: Told, { times, tellEvery }: Plan): () => void {
  const started = Date.now();
  let next = tellEvery;
  let last = { done: 0, at: started };
  const timer = setInterval(() => {
    const now = Date.now();
    if (harm.done > last.done) last = { done: harm.done, at: now };
    const minutes = ((now - started) / 60_000).toFixed(1);
    const line = `${harm.done} of ${times} ${harm.what} in ${minutes} min, ${told.summary()}`;
    if (harm.done >= next) {
      next = harm.done - (harm.done % tellEvery) + tellEvery;
      console.log(line);
    } else if (now - last.at > TELL_AFTER_MS) {
      last = { ...last, at: now };
      console.log(`${line}; waiting: ${harm.waitsFor() || 'for nothing'}`);
    }
  }, 500);
  return () => clearInterval(timer);
}
