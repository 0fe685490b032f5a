/** People use the product while parts of it are killed; then everything is counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { approvedAgreement } from './agreements.ts';
import type { Ending } from './ending.ts';
import { otherFindings } from './invariants-others.ts';
import { findings, settled, type Databases, type Findings } from './invariants.ts';
import { Killer, WEIGHTS } from './killer.ts';
import { moneyLoad } from './load/money.ts';
import { otherLoad } from './load/others.ts';
import { signIn, type Payer } from './people.ts';
import { Told } from './told.ts';

export { shareOut } from './load/money.ts';

const PHONES = ['+919000000001', '+919000000002'] as const;
/** Kills between two lines of progress, and how long none may end before it is said what is waited for. */
const TELL_EVERY = 20;
const TELL_AFTER_MS = 15_000;
const SETTLE_MS = 120_000;
/** When somebody waits for the end now. */
const HURRIED_SETTLE_MS = 4_000;

export type FaultRun = Findings & {
  kills: Killer;
  told: Told;
  /** Broken invariants besides those of money, and wrong answers. */
  wrong: string[];
  /** What was still under way when nobody waited any longer. */
  underWay: string[];
  /** Why it ended before the last kill. */
  endedBy: string | undefined;
};

/**
 * Runs the load until `kills` parts have died or the run is ended, lets it settle and compares.
 *
 * @param product a fresh one, with its sandboxes and demo people
 * @param reach what is killed, and what people do besides paying
 */
export async function runFaults(
  product: Product,
  reach: keyof typeof WEIGHTS,
  kills: number,
  ending: Ending,
  log: (line: string) => void,
): Promise<FaultRun> {
  const [owner, guest] = await Promise.all([signIn(product.url, PHONES[0]), signIn(product.url, PHONES[1])]);
  const urls = databasesOf(product);
  const { url: sandbox } = product.process('sandbox');
  const model = await approvedAgreement(
    owner,
    guest,
    (who) => (path, form) => sendAs(product.url, who, path, form),
  );
  const told = new Told();
  const killer = new Killer(product, WEIGHTS[reach]);
  let over = false;
  const isOver = () => over;
  const money = { owner, guest, sandbox, documents: urls.documents, model, told };
  const loads = [
    await moneyLoad(money, isOver),
    ...(reach === 'all' ? [await otherLoad({ url: product.url, sandbox, owner, guest, told }, isOver)] : []),
  ];
  const stopTelling = tellProgress(killer, told, kills, log);
  await killer.run(kills, () => told.work, ending.signal);
  over = true;
  log(`${killer.kills} kills are done; letting it settle`);
  const hurried = ending.hurried();
  await Promise.race([Promise.all(loads.map((stopped) => stopped())), ...(hurried ? [sleep(2_000)] : [])]);
  const underWay = await settled(urls, told, hurried ? HURRIED_SETTLE_MS : SETTLE_MS);
  stopTelling();
  const ofMoney = await findings(urls, told);
  const others =
    reach === 'all'
      ? await otherFindings(product.url, owner, urls, told)
      : { lost: [], doubled: [], wrong: [] };
  return {
    ...ofMoney,
    lost: [...ofMoney.lost, ...others.lost],
    doubled: [...ofMoney.doubled, ...others.doubled],
    wrong: [...killer.stuck, ...told.wrong, ...others.wrong],
    underWay,
    kills: killer,
    told,
    endedBy: killer.kills < kills ? String(ending.signal.reason ?? 'a part that stayed down') : undefined,
  };
}

/** A line every some kills, and one that says what is waited for when they stop. @returns ends it */
function tellProgress(killer: Killer, told: Told, kills: number, log: (line: string) => void): () => void {
  const started = Date.now();
  let next = TELL_EVERY;
  let last = { kills: 0, at: started };
  const timer = setInterval(() => {
    const now = Date.now();
    if (killer.kills > last.kills) last = { kills: killer.kills, at: now };
    const minutes = (now - started) / 60_000;
    const line = [
      `${killer.kills} of ${kills} kills in ${minutes.toFixed(1)} min (${(killer.kills / minutes).toFixed(0)}/min)`,
      `${told.paid.size} payments, ${told.captured.size} top-ups, ${told.messages.size} messages`,
      `${told.people.size} people, ${told.sealed.size} sealed, ${told.pages.size} pages`,
      ...(told.wrong.length > 0 ? [`${told.wrong.length} wrong answers`] : []),
    ].join(', ');
    if (killer.kills >= next) {
      next = killer.kills - (killer.kills % TELL_EVERY) + TELL_EVERY;
      log(line);
    } else if (now - last.at > TELL_AFTER_MS) {
      last = { ...last, at: now };
      const down = [...killer.down].map(([name, at]) => `${name} for ${((now - at) / 1_000).toFixed(0)} s`);
      log(`${line}; down: ${down.join(', ') || 'nothing'}`);
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
    payments: of('payments'),
    wallet: of('wallet'),
  };
}
