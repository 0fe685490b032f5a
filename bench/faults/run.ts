/** People use the product while it is harmed, by kills or cuts; then everything is counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { approvedAgreement } from './agreements.ts';
import type { Ending } from './ending.ts';
import { otherFindings } from './invariants-others.ts';
import { findings, settled, type Databases, type Findings, type SentBack } from './invariants.ts';
import type { Harm } from './harm.ts';
import { moneyLoad } from './load/money.ts';
import { otherLoad } from './load/others.ts';
import { signIn, signInAdmin, type Payer } from './people.ts';
import { Told } from './told.ts';

export { shareOut } from './load/money.ts';

const PHONES = ['+919000000001', '+919000000002'] as const;
/** How long none may happen before it is said what is waited for. */
const TELL_AFTER_MS = 15_000;
/** How long the product gets to settle when the run is asked to end at once. */
const HURRIED_SETTLE_MS = 4_000;

export type FaultRun = Findings & {
  told: Told;
  /** Broken invariants besides those of money, and wrong answers. */
  wrong: string[];
  /** What was still under way when nobody waited any longer. */
  underWay: string[];
  /** Why it ended before the last harm. */
  endedBy: string | undefined;
};

export type Plan = {
  /** What people do: pay, or whatever the product is there for. */
  reach: 'money' | 'all';
  /** How often it is harmed, and how often that is told. */
  times: number;
  tellEvery: number;
  /** In how many milliseconds everything must have settled. */
  settleMs: number;
  ending: Ending;
  log: (line: string) => void;
};

/**
 * Runs the load until it has been harmed as often as planned or the run is ended, lets it settle and compares.
 *
 * @param product a fresh one, with its sandboxes and demo people
 */
export async function runFaults(product: Product, harm: Harm, plan: Plan): Promise<FaultRun> {
  const { reach, times, ending, log } = plan;
  const [owner, guest] = await Promise.all([signIn(product.url, PHONES[0]), signIn(product.url, PHONES[1])]);
  const urls = databasesOf(product);
  const { url: sandbox } = product.process('sandbox');
  const model = await approvedAgreement(
    owner,
    guest,
    (who) => (path, form) => sendAs(product.url, who, path, form),
  );
  const told = new Told();
  let over = false;
  const isOver = () => over;
  const admin = await signInAdmin(product.url);
  const money = { owner, guest, admin, sandbox, documents: urls.documents, model, told };
  const loads = [
    await moneyLoad(money, isOver),
    ...(reach === 'all' ? [otherLoad({ url: product.url, sandbox, owner, guest, admin, told }, isOver)] : []),
  ];
  const stopTelling = tellProgress(harm, told, plan);
  await harm.run(times, () => told.work, ending.signal);
  over = true;
  log(`${harm.done} ${harm.what} are done; letting it settle`);
  const hurried = ending.hurried();
  await Promise.race([Promise.all(loads.map((stopped) => stopped())), ...(hurried ? [sleep(2_000)] : [])]);
  const underWay = await settled(urls, told, hurried ? HURRIED_SETTLE_MS : plan.settleMs);
  stopTelling();
  const sentBack = (await (await fetch(`${sandbox}/dev/razorpay/refunds`)).json()) as SentBack[];
  const ofMoney = await findings(urls, told, sentBack);
  const others =
    reach === 'all'
      ? await otherFindings(product.url, owner, urls, told)
      : { lost: [], doubled: [], wrong: [] };
  return {
    ...ofMoney,
    lost: [...ofMoney.lost, ...others.lost],
    doubled: [...ofMoney.doubled, ...others.doubled],
    wrong: [...harm.stuck, ...told.wrong, ...others.wrong],
    underWay,
    told,
    endedBy: harm.done < times ? String(ending.signal.reason ?? 'a part that stayed down') : undefined,
  };
}

/** A line every some harms, and one that says what is waited for when they stop. @returns ends it */
function tellProgress(harm: Harm, told: Told, { times, tellEvery, log }: Plan): () => void {
  const started = Date.now();
  let next = tellEvery;
  let last = { done: 0, at: started };
  const timer = setInterval(() => {
    const now = Date.now();
    if (harm.done > last.done) last = { done: harm.done, at: now };
    const minutes = (now - started) / 60_000;
    const line = [
      `${harm.done} of ${times} ${harm.what} in ${minutes.toFixed(1)} min (${(harm.done / minutes).toFixed(0)}/min)`,
      `${told.paid.size} payments, ${told.captured.size} top-ups, ${told.messages.size} messages`,
      `${told.people.size} people, ${told.sealed.size} sealed, ${told.pages.size} pages`,
      ...(told.wrong.length > 0 ? [`${told.wrong.length} wrong answers`] : []),
    ].join(', ');
    if (harm.done >= next) {
      next = harm.done - (harm.done % tellEvery) + tellEvery;
      log(line);
    } else if (now - last.at > TELL_AFTER_MS) {
      last = { ...last, at: now };
      log(`${line}; waiting: ${harm.waitsFor() || 'for nothing'}`);
    }
  }, 500);
  return () => clearInterval(timer);
}

export async function sendAs(
  url: string,
  who: Payer,
  path: string,
  form: FormData,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api${path}`, { method: 'POST', headers: who.headers, body: form });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${JSON.stringify(body)}`);
  return body;
}

/** The services' databases, as the administrator reaches them. */
export function databasesOf(product: Product): Databases {
  const of = (name: string) => {
    const url = new URL(product.backing.postgresUrl);
    url.pathname = `/karaar_${name}`;
    return url.toString();
  };
  return {
    auth: of('auth'),
    cms: of('cms'),
    documents: of('documents'),
    messaging: of('messaging'),
    notifications: of('notifications'),
    payments: of('payments'),
    wallet: of('wallet'),
  };
}
