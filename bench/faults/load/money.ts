/** Users who top up and pay for agreements as fast as they get answers. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf, type Call, type Person } from '@karaar/e2e/src/person.ts';
import { feeOf } from '@karaar/testing/sandboxes/razorpay/entities';
import pg from 'pg';
import { copies, shareOut } from '../../lib/agreements.ts';
import type { Outcomes } from '../outcomes.ts';

const PAYERS = 5;
const TOPPERS = 2;
/** Agreements in each batch; both parties pay for each. */
const BATCH = 200;
const TOP_UP_RUPEES = 50;
/** The share of top-ups with the provider's fee on top. */
const FEES = 1 / 3;
/** The share of payments that an admin reverses. */
const MISTAKES = 0.05;
/** The shares of top-ups that are refunded in part, and that a bank disputes. */
const REFUNDS = 0.15;
const DISPUTES = 0.05;
const REFUND_RUPEES = 5;

export type World = {
  url: string;
  owner: Person;
  guest: Person;
  admin: Call;
  /** The sandbox's own URL, which is reachable when the gateway is down. */
  sandbox: string;
  /** The URL of the documents' database, and the id of an approved agreement in it. */
  documents: string;
  model: string;
  outcomes: Outcomes;
  isOver: () => boolean;
};

/** Starts the load. @returns a promise for each user, which resolves after `isOver` returns true */
export async function moneyLoad(world: World): Promise<Promise<void>[]> {
  const { owner, guest, outcomes, isOver } = world;
  const nextAgreement = agreementSupply(world);
  const pay = async () => {
    const id = await nextAgreement();
    if (id === undefined) return;
    await shareOut(owner, guest, id);
    for (const who of [owner, guest]) {
      const { status, body } = await who.call('POST', `/payments/document/${id}/pay`, undefined, [200, 402]);
      if (status === 402) outcomes.refused += 1;
      else {
        const payment = String(body['_id']);
        outcomes.paid.set(payment, Math.round(Number(body['amount']) * 100));
        if (Math.random() < MISTAKES) await reverse(world, payment);
      }
    }
  };
  const top = async () => {
    const payment = await topUp(world, Math.random() < 0.5 ? owner : guest);
    if (Math.random() < REFUNDS) await refund(world, payment);
    else if (Math.random() < DISPUTES) await dispute(world, payment);
    await sleep(randomInt(20, 120));
  };
  // Enough for the first payments; later some of them are refused.
  await Promise.all([owner, guest].map((who) => topUp(world, who)));
  return [
    ...Array.from({ length: PAYERS }, () => outcomes.repeat(isOver, pay)),
    ...Array.from({ length: TOPPERS }, () => outcomes.repeat(isOver, top)),
  ];
}

/** Tops up; half of the users never return from the provider. @returns the payment's id */
async function topUp({ sandbox, outcomes }: World, who: Person): Promise<string> {
  const { body } = await who.call('POST', '/wallet/create-razorpay-order', { amount: TOP_UP_RUPEES });
  const order = body['order'] as { id: string; amount: number };
  const amount = order.amount + (Math.random() < FEES ? feeOf(order.amount).fee : 0);
  const asked = { order_id: order.id, outcome: 'success', amount };
  const { body: checkout } = await atSandbox(sandbox)('POST', '/dev/razorpay/pay', asked);
  const payment = String(checkout['razorpay_payment_id']);
  outcomes.captured.set(payment, order.amount);
  if (Math.random() < 0.5) await who.call('POST', '/wallet/verify-razorpay-payment', checkout, [200]);
  return payment;
}

/** Returns a client of the sandbox; it makes one attempt. */
const atSandbox = (url: string): Call => clientOf(() => url, {}, { forMs: 0, attemptMs: 5_000 });

async function refund({ admin, outcomes }: World, payment_id: string): Promise<void> {
  const idempotency_key = randomUUID();
  const asked = { payment_id, amount: REFUND_RUPEES, reason: 'Asked for it', idempotency_key };
  // 404: the top-up is not credited yet. 409: the wallet holds less.
  const { status } = await admin('POST', '/admin/wallet/refunds', asked, [201, 404, 409]);
  if (status === 201) outcomes.refunds.set(idempotency_key, REFUND_RUPEES * 100);
}

/** Makes a bank dispute a payment and decide at once; the provider sends both events to the wallet. */
async function dispute({ sandbox, outcomes }: World, payment_id: string): Promise<void> {
  const send = (body: object) => atSandbox(sandbox)('POST', '/dev/razorpay/disputes', body);
  const { body } = await send({ payment_id, amount: REFUND_RUPEES * 100 });
  const dispute_id = String(body['id']);
  const status = Math.random() < 0.5 ? 'won' : 'lost';
  await send({ dispute_id, status });
  outcomes.disputes.set(dispute_id, status);
}

async function reverse({ admin, outcomes }: World, id: string): Promise<void> {
  const asked = { reason: 'Paid by mistake' };
  // 409: the first answer was lost.
  await admin('POST', `/admin/payments/${id}/reversals`, asked, [200, 201, 202, 409]);
  outcomes.reversed.add(id);
}

/** Returns a function for the next agreement. It waits while the database is down; undefined at the end of the run. */
function agreementSupply({ documents, model, isOver }: World): () => Promise<string | undefined> {
  const ready: string[] = [];
  let making: Promise<void> | undefined;
  const make = async () => {
    try {
      ready.push(...(await copies(documents, model, BATCH)));
    } catch (error) {
      // Only a shutdown of the database or a broken connection is expected.
      if (error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')) throw error;
      await sleep(200);
    }
  };
  return async () => {
    while (!isOver() && ready.length === 0) await (making ??= make().finally(() => (making = undefined)));
    return isOver() ? undefined : ready.shift();
  };
}
