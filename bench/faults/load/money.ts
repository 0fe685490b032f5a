/** People who top up and pay for agreements, as fast as they are answered. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { copies } from '../agreements.ts';
import { paidOrder, type Call, type Payer } from '../people.ts';
import type { Told } from '../told.ts';
import { repeat } from './worker.ts';

/** People at work at the same time. */
const PAYERS = 5;
const TOPPERS = 2;
/** Agreements made ready at a time; each is paid by both parties. */
const BATCH = 200;
const TOP_UP_RUPEES = 50;
/** How often a payment turns out to be a mistake. */
const MISTAKES = 0.05;
/** How often a top-up goes back to its card in part, and how often its bank disputes it. */
const REFUNDS = 0.15;
const DISPUTES = 0.05;
const REFUND_RUPEES = 5;

export type MoneyLoad = {
  owner: Payer;
  guest: Payer;
  admin: Call;
  /** Of the card provider: it does not go away when our gateway dies. */
  sandbox: string;
  /** The documents' database, and an approved agreement in it. */
  documents: string;
  model: string;
  told: Told;
};

/** Starts the load. @returns resolves when everybody has stopped, after `isOver` said so */
export async function moneyLoad(load: MoneyLoad, isOver: () => boolean): Promise<() => Promise<void>> {
  const { owner, guest, admin, sandbox, documents, model, told } = load;
  const agreements = agreementSupply(documents, model, isOver);
  const pay = async () => {
    const id = await agreements();
    if (id === undefined) return;
    await shareOut(owner, guest, id);
    for (const who of [owner, guest]) {
      const { status, body } = await who.call('POST', `/payments/document/${id}/pay`);
      if (status === 200) {
        told.paid.set(String(body['_id']), Math.round(Number(body['amount']) * 100));
        if (Math.random() < MISTAKES) await reverse(admin, String(body['_id']), told);
      } else if (status === 402) told.refused += 1;
      else throw new Error(`pay answered ${status} ${JSON.stringify(body)}`);
    }
  };
  const top = async () => {
    const payment = await topUp(sandbox, Math.random() < 0.5 ? owner : guest, told);
    if (Math.random() < REFUNDS) await refund(admin, payment, told);
    else if (Math.random() < DISPUTES) await dispute(sandbox, payment, told);
    await sleep(randomInt(20, 120));
  };
  // Enough to begin with; later on some payments find an empty wallet, which is an outcome as well.
  await Promise.all([owner, guest].map((who) => topUp(sandbox, who, told)));
  const all = [
    ...Array.from({ length: PAYERS }, () => repeat(told, isOver, pay)),
    ...Array.from({ length: TOPPERS }, () => repeat(told, isOver, top)),
  ];
  return async () => void (await Promise.all(all));
}

/** Tops up, and in half of the cases never brings the provider's answer home. @returns the payment's id */
async function topUp(sandbox: string, who: Payer, told: Told): Promise<string> {
  const { checkout, paise } = await paidOrder(sandbox, who, TOP_UP_RUPEES);
  told.captured.set(checkout.razorpay_payment_id, paise);
  if (Math.random() < 0.5) return checkout.razorpay_payment_id;
  const { status } = await who.call('POST', '/wallet/verify-razorpay-payment', checkout);
  if (status !== 200) throw new Error(`verify answered ${status}`);
  return checkout.razorpay_payment_id;
}

/** Sends some of a top-up back to its card. 404: it is not credited yet; 409: the wallet holds less. */
async function refund(admin: Call, payment_id: string, told: Told): Promise<void> {
  const idempotency_key = randomUUID();
  const { status, body } = await admin('POST', '/admin/wallet/refunds', {
    ...{ payment_id, amount: REFUND_RUPEES, reason: 'Asked for it', idempotency_key },
  });
  if (![201, 404, 409].includes(status))
    throw new Error(`a refund answered ${status} ${JSON.stringify(body)}`);
  if (status === 201) told.refunds.set(idempotency_key, REFUND_RUPEES * 100);
}

/** Has a bank dispute a payment and decide at once: the provider tells the wallet of both. */
async function dispute(sandbox: string, payment_id: string, told: Told): Promise<void> {
  const say = async (body: object): Promise<string> => {
    const answer = await fetch(`${sandbox}/dev/razorpay/disputes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const dispute_id = await say({ payment_id, amount: REFUND_RUPEES * 100 });
  const status = Math.random() < 0.5 ? 'won' : 'lost';
  await say({ dispute_id, status });
  told.disputes.set(dispute_id, status);
}

/** Gives a payment back. 409: it was decided when its answer was lost. */
async function reverse(admin: Call, id: string, told: Told): Promise<void> {
  const { status, body } = await admin('POST', `/admin/payments/${id}/reversals`, {
    reason: 'Paid by mistake',
  });
  if (![200, 201, 202, 409].includes(status))
    throw new Error(`a reversal answered ${status} ${JSON.stringify(body)}`);
  told.reversed.add(id);
}

/** Sixty for the owner, forty for the guest. */
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
function agreementSupply(
  documentsUrl: string,
  model: string,
  isOver: () => boolean,
): () => Promise<string | undefined> {
  const ready: string[] = [];
  let making: Promise<void> | undefined;
  const make = async () => {
    while (!isOver()) {
      const client = new pg.Client({ connectionString: documentsUrl, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined); // a kill of the database is this run's business; the query tells
      try {
        await client.connect();
        ready.push(...(await copies(client, model, BATCH)));
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
    while (!isOver()) {
      const next = ready.shift();
      if (next !== undefined) return next;
      making ??= make().finally(() => (making = undefined));
      await making;
    }
    return undefined;
  };
}
