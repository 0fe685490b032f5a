/** People who top up and pay for agreements, as fast as they are answered. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { copies, shareOut } from '../../lib/agreements.ts';
import { expectStatus, paidOrder, type Call, type Payer } from '../../lib/people.ts';
import type { Told } from '../told.ts';

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

export type World = {
  url: string;
  owner: Payer;
  guest: Payer;
  admin: Call;
  /** The card provider's and the phones' own address: they do not go away when our gateway dies. */
  sandbox: string;
  /** The documents' database, and an approved agreement in it. */
  documents: string;
  model: string;
  told: Told;
};

/** Starts the load. @returns a promise for each person at work, which resolves after `isOver` said so */
export async function moneyLoad(world: World, isOver: () => boolean): Promise<Promise<void>[]> {
  const { owner, guest, admin, told } = world;
  const agreements = agreementSupply(world, isOver);
  const pay = async () => {
    const id = await agreements();
    if (id === undefined) return;
    await shareOut(owner, guest, id);
    for (const who of [owner, guest]) {
      const answer = await who.call('POST', `/payments/document/${id}/pay`);
      expectStatus('pay', answer, 200, 402);
      if (answer.status === 402) told.refused += 1;
      else {
        const payment = String(answer.body['_id']);
        told.paid.set(payment, Math.round(Number(answer.body['amount']) * 100));
        if (Math.random() < MISTAKES) await reverse(admin, payment, told);
      }
    }
  };
  const top = async () => {
    const payment = await topUp(world, Math.random() < 0.5 ? owner : guest);
    if (Math.random() < REFUNDS) await refund(world, payment);
    else if (Math.random() < DISPUTES) await dispute(world, payment);
    await sleep(randomInt(20, 120));
  };
  // Enough to begin with; later on some payments find an empty wallet, which is an outcome as well.
  await Promise.all([owner, guest].map((who) => topUp(world, who)));
  return [
    ...Array.from({ length: PAYERS }, () => told.repeat(isOver, pay)),
    ...Array.from({ length: TOPPERS }, () => told.repeat(isOver, top)),
  ];
}

/** Tops up, and in half of the cases never brings the provider's answer home. @returns the payment's id */
async function topUp({ sandbox, told }: World, who: Payer): Promise<string> {
  const { checkout, paise } = await paidOrder(sandbox, who, TOP_UP_RUPEES);
  told.captured.set(checkout.razorpay_payment_id, paise);
  if (Math.random() < 0.5)
    expectStatus('verify', await who.call('POST', '/wallet/verify-razorpay-payment', checkout), 200);
  return checkout.razorpay_payment_id;
}

/** Sends some of a top-up back to its card. 404: it is not credited yet; 409: the wallet holds less. */
async function refund({ admin, told }: World, payment_id: string): Promise<void> {
  const idempotency_key = randomUUID();
  const asked = { payment_id, amount: REFUND_RUPEES, reason: 'Asked for it', idempotency_key };
  const answer = await admin('POST', '/admin/wallet/refunds', asked);
  expectStatus('a refund', answer, 201, 404, 409);
  if (answer.status === 201) told.refunds.set(idempotency_key, REFUND_RUPEES * 100);
}

/** Has a bank dispute a payment and decide at once: the provider tells the wallet of both. */
async function dispute({ sandbox, told }: World, payment_id: string): Promise<void> {
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
  const answer = await admin('POST', `/admin/payments/${id}/reversals`, { reason: 'Paid by mistake' });
  expectStatus('a reversal', answer, 200, 201, 202, 409);
  told.reversed.add(id);
}

/** Agreements one by one, made in batches; waits while the database is down. */
function agreementSupply(
  { documents, model }: World,
  isOver: () => boolean,
): () => Promise<string | undefined> {
  const ready: string[] = [];
  let making: Promise<void> | undefined;
  const make = async () => {
    while (!isOver()) {
      try {
        ready.push(...(await copies(documents, model, BATCH)));
        return;
      } catch (error) {
        // A refusal of the database is a fault of this run; only its death is waited out.
        if (error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')) throw error;
        await sleep(200);
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
