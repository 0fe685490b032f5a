/** People top up and pay while parts are killed; then everything is counted. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import pg from 'pg';
import { approvedAgreement, copies } from './agreements.ts';
import { findings, settled, type Databases, type Findings, type Told } from './invariants.ts';
import { killParts, type Weights } from './killer.ts';
import { paidOrder, signIn, type Payer } from './people.ts';

const PHONES = ['+919000000001', '+919000000002'] as const;
/** People at work at the same time. */
const PAYERS = 6;
const TOPPERS = 3;
/** Agreements made ready at a time; each is paid by both parties. */
const BATCH = 200;
const TOP_UP_RUPEES = 50;
/** Kills between two lines of progress. */
const TELL_EVERY = 20;

export type FaultRun = Findings & {
  kills: Weights;
  payments: number;
  topUps: number;
  /** Payments refused for too small a balance: an outcome, too. */
  refused: number;
};

/**
 * Runs the load until `kills` parts have died, lets it settle and compares.
 *
 * @param product a fresh one, with its sandboxes and demo people
 */
export async function runFaults(
  product: Product,
  weights: Weights,
  kills: number,
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
  const told: Told = { paid: new Map(), captured: new Map() };
  let refused = 0;
  let over = false;

  const agreements = agreementSupply(urls.documents, model);
  const payer = async () => {
    while (!over) {
      const id = await agreements();
      await shareOut(owner, guest, id);
      for (const who of [owner, guest]) {
        const { status, body } = await who.call('POST', `/payments/document/${id}/pay`);
        if (status === 200) told.paid.set(String(body['_id']), Math.round(Number(body['amount']) * 100));
        else if (status === 402) refused += 1;
        else throw new Error(`pay answered ${status} ${JSON.stringify(body)}`);
      }
    }
  };
  const topper = async () => {
    while (!over) {
      await topUp(sandbox, Math.random() < 0.5 ? owner : guest, told);
      await sleep(randomInt(20, 120));
    }
  };

  // Enough to begin with; later on some payments find an empty wallet, which is an outcome as well.
  await Promise.all([owner, guest].map((who) => topUp(sandbox, who, told)));
  const load = [...Array.from({ length: PAYERS }, payer), ...Array.from({ length: TOPPERS }, topper)];
  const started = Date.now();
  let next = TELL_EVERY;
  const tell = (done: number) => {
    if (done < next) return;
    next += TELL_EVERY;
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    log(
      `${done} of ${kills} kills in ${minutes} min, ${told.paid.size} payments, ${told.captured.size} top-ups`,
    );
  };
  const work = () => told.paid.size + refused;
  const killing = killParts(product, weights, kills, work, tell).finally(() => (over = true));
  const [counts] = await Promise.all([killing, ...load]);
  await settled(urls, told);
  return {
    ...(await findings(urls, told)),
    kills: counts,
    payments: told.paid.size,
    topUps: told.captured.size,
    refused,
  };
}

/** Tops up, and in half of the cases never brings the provider's answer home. */
async function topUp(sandbox: string, who: Payer, told: Told): Promise<void> {
  const { checkout, paise } = await paidOrder(sandbox, who, TOP_UP_RUPEES);
  told.captured.set(checkout.razorpay_payment_id, paise);
  if (Math.random() < 0.5) return;
  const { status } = await who.call('POST', '/wallet/verify-razorpay-payment', checkout);
  if (status !== 200) throw new Error(`verify answered ${status}`);
}

export async function shareOut(owner: Payer, guest: Payer, id: string): Promise<void> {
  const { status, body } = await owner.call('POST', `/payments/document/${id}/setup-distribution`, {
    payment_distributions: [
      { user_id: owner.userId, percentage: 60 },
      { user_id: guest.userId, percentage: 40 },
    ],
  });
  if (status !== 200) throw new Error(`the distribution answered ${status} ${JSON.stringify(body)}`);
}

/** Agreements one by one, made in batches; waits while the database is down. */
function agreementSupply(documentsUrl: string, model: string): () => Promise<string> {
  let ready: string[] = [];
  let making: Promise<void> | undefined;
  const make = async () => {
    for (;;) {
      const client = new pg.Client({ connectionString: documentsUrl });
      client.on('error', () => undefined); // a kill of the database is this run's business; the query tells
      try {
        await client.connect();
        ready = [...ready, ...(await copies(client, model, BATCH))];
        return;
      } catch (error) {
        // A refusal of the database is a fault of this run; only its death is waited out.
        if (error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')) throw error;
        await sleep(200);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  };
  return async () => {
    for (;;) {
      const [next, ...rest] = ready;
      if (next !== undefined) {
        ready = rest;
        return next;
      }
      making ??= make().finally(() => (making = undefined));
      await making;
    }
  };
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

export function databasesOf(product: Product): Databases {
  const of = (name: string) => {
    const url = new URL(product.backing.postgresUrl);
    url.pathname = `/karaar_${name}`;
    return url.toString();
  };
  return { wallet: of('wallet'), payments: of('payments'), documents: of('documents') };
}
