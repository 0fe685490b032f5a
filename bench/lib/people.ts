/** Users who register and sign in through the public API, and repeat their calls while parts are down. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { feeOf } from '@karaar/testing/sandboxes/razorpay/entities';
import { idCardPng } from '@karaar/testing/faces/faces';
import { registrationOf } from '@karaar/testing/people/registration';

/** The phone numbers of the demo's users. */
export const DEMO = ['+919000000001', '+919000000002'] as const;
/** The admin whom the product creates in development. */
const ADMIN = { username: 'admin', password: 'karaar-admin' };

/** Parallel requests of the preparation. */
const AT_ONCE = 8;
const PAUSE_MS = 50;
const PATIENCE_MS = 120_000;
const ATTEMPT_MS = 5_000;
/** A form takes longer: its photos are checked. */
const FORM_MS = 30_000;

export type Answer = { status: number; body: Record<string, unknown> };
export type Payer = { userId: string; charId: string; headers: { authorization: string }; call: Call };
/** Sends texts and forms as they are, other bodies as JSON. @throws Error unless the status is expected, or below 500 */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  expected?: readonly number[],
) => Promise<Answer>;

/** No answer came in time: the call may have had its effect. */
export class NoAnswer extends Error {}

export class SignInRefused extends Error {}

/** Signs in with a code from the `inbox`; the sandbox's works without the gateway. @throws SignInRefused */
export async function signIn(url: string, phone: string, inbox = url): Promise<Payer> {
  const api = () => `${url}/api`;
  const anonymous = patientClient(api, {});
  await anonymous('POST', '/auth/send-otp', { phone_no: phone });
  const texts = await fetch(`${inbox}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  // A notification may have come after the code.
  const newest = ((await texts.json()) as { code: string | null }[]).find(({ code }) => code !== null);
  const { status, body } = await anonymous('POST', '/auth/login', { phone_no: phone, otp: newest?.code });
  if (status !== 200) throw new SignInRefused(`signing in answered ${status} ${JSON.stringify(body)}`);
  const [userId, charId] = [String(body['user_id']), String(body['char_id'])];
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  return { userId, charId, headers, call: patientClient(api, headers) };
}

/** Registers users with phone numbers that only this function uses, and signs in; some in parallel. */
export function newcomers(url: string, count: number): Promise<Payer[]> {
  const phones = Array.from({ length: count }, (_, i) => `+9170${String(i).padStart(8, '0')}`);
  return eachOf(phones, async (phone) => {
    await register(url, `Person ${phone.slice(-8)}`, phone);
    return signIn(url, phone);
  });
}

/** Works on a few items in parallel. @returns the results in the order of the items */
export const eachOf = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  Readable.from(items).map(work, { concurrency: AT_ONCE }).toArray() as Promise<R[]>;

/** Registers a user. A phone number that is registered already means that the first answer was lost. */
export async function register(url: string, name: string, phone: string): Promise<void> {
  const form = new FormData();
  for (const [field, value] of Object.entries(registrationOf(name, phone))) form.set(field, value);
  const card = new Uint8Array(await idCardPng());
  form.set('govt_id_image', new Blob([card], { type: 'image/png' }), 'id.png');
  await patientClient(() => `${url}/api`, {})('POST', '/auth/register', form, [201, 409]);
}

/** Signs in as the demo's admin. */
export async function signInAdmin(url: string): Promise<Call> {
  const api = () => `${url}/api`;
  const { body } = await patientClient(api, {})('POST', '/admin/login', ADMIN, [200]);
  return patientClient(api, { authorization: `Bearer ${String(body['token'])}` });
}

type Checkout = { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };

/** Pays an order at the sandbox, one in three with the fee on top. @returns the result that the browser gets */
export async function paidOrder(
  sandbox: string,
  who: Payer,
  rupees: number,
): Promise<{ checkout: Checkout; paise: number }> {
  const { body } = await who.call('POST', '/wallet/create-razorpay-order', { amount: rupees });
  const order = body['order'] as { id: string; amount: number };
  const amount = order.amount + (Math.random() < 1 / 3 ? feeOf(order.amount).fee : 0);
  const asked = { order_id: order.id, outcome: 'success', amount };
  const paid = await atSandbox(sandbox)('POST', '/dev/razorpay/pay', asked);
  return { checkout: paid.body as Checkout, paise: order.amount };
}

/** Returns a client of the sandbox; it makes one attempt. */
export const atSandbox = (url: string): Call => patientClient(() => url, {}, 0);

/** Tops up a wallet. @throws Error when the wallet refuses the payment */
export async function topUp(sandbox: string, who: Payer, rupees: number): Promise<void> {
  const { checkout } = await paidOrder(sandbox, who, rupees);
  await who.call('POST', '/wallet/verify-razorpay-payment', checkout, [200]);
}

/**
 * Repeats a call after a 503, a broken connection or a timeout, as the app does; a form under one key.
 * @param base returns the URL before each path, because a part may move
 * @throws NoAnswer after `patienceMs`; 0 makes one attempt
 */
export function patientClient(
  base: () => string,
  headers: Record<string, string>,
  patienceMs = PATIENCE_MS,
): Call {
  return async (method, path, body, expected) => {
    const isForm = body instanceof FormData;
    const ofBody: Record<string, string> = isForm
      ? { 'idempotency-key': randomUUID() }
      : { 'content-type': 'application/json' };
    const init = {
      method,
      headers: { ...headers, ...(body !== undefined && ofBody) },
      body: body === undefined || isForm || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    };
    for (const until = Date.now() + patienceMs; ; await sleep(PAUSE_MS)) {
      const signal = AbortSignal.timeout(isForm ? FORM_MS : ATTEMPT_MS);
      const answer = await once(`${base()}${path}`, { ...init, signal });
      if (answer && answer.status !== 503) {
        if (expected ? expected.includes(answer.status) : answer.status < 500) return answer;
        throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      if (Date.now() >= until)
        throw new NoAnswer(`${method} ${path} had no answer for ${patienceMs / 1000} s`);
    }
  };
}

async function once(url: string, init: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
  } catch (error) {
    // A broken connection or a timeout. Compared by name: in Jest the classes are of another realm.
    const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
    if (name === 'TypeError' || name === 'TimeoutError') return undefined;
    throw error;
  }
}
