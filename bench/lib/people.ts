/** Users who register and sign in over the public API and repeat their calls while parts are down. */
import { setTimeout as sleep } from 'node:timers/promises';
import { feeOf } from '@karaar/testing/sandboxes/razorpay/entities';
import { idCardPng } from '@karaar/testing/faces/faces';
import { registrationOf } from '@karaar/testing/people/registration';

/** The phone numbers of the demo's users. */
export const DEMO = ['+919000000001', '+919000000002'] as const;

const PAUSE_MS = 50;
const PATIENCE_MS = 120_000;
const ATTEMPT_MS = 5_000;
/** Of a form, whose photos are judged. */
const FORM_MS = 30_000;

export type Answer = { status: number; body: Record<string, unknown> };
export type Payer = { userId: string; charId: string; headers: { authorization: string }; call: Call };
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** @throws Error when an answer has another status than one of the expected */
export function expectStatus(what: string, { status, body }: Answer, ...expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`${what} answered ${status} ${JSON.stringify(body)}`);
}

/** No answer came in time: the call may have had its effect. */
export class NoAnswer extends Error {}

/** The code was not taken. */
export class SignInRefused extends Error {}

/**
 * Signs in with the code from the text messages' inbox.
 *
 * @param inbox where that inbox is: the sandbox's own address where the gateway may be away
 * @throws Error when the code is not taken, as after a sign-in whose answer was lost
 */
export async function signIn(url: string, phone: string, inbox = url): Promise<Payer> {
  const api = () => `${url}/api`;
  const anonymous = patientClient(api, {});
  await anonymous('POST', '/auth/send-otp', { phone_no: phone });
  const texts = await fetch(`${inbox}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  const [newest] = (await texts.json()) as { code: string }[];
  const { status, body } = await anonymous('POST', '/auth/login', { phone_no: phone, otp: newest?.code });
  if (status !== 200) throw new SignInRefused(`signing in answered ${status} ${JSON.stringify(body)}`);
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  return {
    userId: String(body['user_id']),
    charId: String(body['char_id']),
    headers,
    call: patientClient(api, headers),
  };
}

/** Registers a user with a phone number that no other user has, and signs in. */
export async function newcomer(url: string, name: string, phone: string): Promise<Payer> {
  await register(url, name, phone);
  return signIn(url, phone);
}

/** Registers, patient where a part is coming up. The same phone again is taken for a lost answer. */
export async function register(url: string, name: string, phone: string): Promise<void> {
  const form = new FormData();
  for (const [field, value] of Object.entries(registrationOf(name, phone))) form.set(field, value);
  const card = new Uint8Array(await idCardPng());
  form.set('govt_id_image', new Blob([card], { type: 'image/png' }), 'id.png');
  const anonymous = patientClient(() => `${url}/api`, {});
  expectStatus('registering', await anonymous('POST', '/auth/register', form), 201, 409);
}

/** Sends a form, once. @throws Error when the answer is not 2xx */
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

/** The admin whom the product makes in development. */
const ADMIN = { username: 'admin', password: 'karaar-admin' };

/** @returns how the demo's admin calls the API */
export async function signInAdmin(url: string): Promise<Call> {
  const api = () => `${url}/api`;
  const answer = await patientClient(api, {})('POST', '/admin/login', ADMIN);
  expectStatus("the admin's sign-in", answer, 200);
  return patientClient(api, { authorization: `Bearer ${String(answer.body['token'])}` });
}

type Checkout = { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };

/**
 * Opens an order and pays it at the sandbox; one payer in three bears the provider's fee, on top of the order.
 *
 * @param sandbox its own address: the provider does not go away when our gateway dies
 * @returns what its checkout hands to the browser
 */
export async function paidOrder(
  sandbox: string,
  who: Payer,
  rupees: number,
): Promise<{ checkout: Checkout; paise: number }> {
  const { body } = await who.call('POST', '/wallet/create-razorpay-order', { amount: rupees });
  const order = body['order'] as { id: string; amount: number };
  const paid = await fetch(`${sandbox}/dev/razorpay/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ order_id: order.id, outcome: 'success' },
      amount: order.amount + (Math.random() < 1 / 3 ? feeOf(order.amount).fee : 0),
    }),
  });
  return { checkout: (await paid.json()) as Checkout, paise: order.amount };
}

/** Tops a wallet up. @throws Error when the wallet does not take the payment */
export async function topUp(sandbox: string, who: Payer, rupees: number): Promise<void> {
  const { checkout } = await paidOrder(sandbox, who, rupees);
  expectStatus('the top-up', await who.call('POST', '/wallet/verify-razorpay-payment', checkout), 200);
}

/**
 * Repeats a call until it has an answer that says something: 503, a broken connection and a late answer say nothing.
 * That is what our browser client and the provider's webhooks do, so every call here must be safe to repeat.
 *
 * A text and a form as body are sent as they are, anything else as JSON.
 *
 * @param base the address before each path; asked each time, since a part may come back elsewhere
 * @param patienceMs 0 asks once
 * @throws NoAnswer when its patience ends
 */
export function patientClient(
  base: () => string,
  headers: Record<string, string>,
  patienceMs = PATIENCE_MS,
): Call {
  return async (method, path, body) => {
    const until = Date.now() + patienceMs;
    for (;;) {
      const answer = await once(`${base()}${path}`, {
        method,
        headers: {
          ...headers,
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: asSent(body) }),
        signal: AbortSignal.timeout(body instanceof FormData ? FORM_MS : ATTEMPT_MS),
      });
      if (answer && answer.status < 500) return answer;
      if (answer && answer.status !== 503) throw new Error(`${method} ${path} answered ${answer.status}`);
      if (Date.now() >= until)
        throw new NoAnswer(`${method} ${path} had no answer for ${patienceMs / 1000} s`);
      await sleep(PAUSE_MS);
    }
  };
}

const asSent = (body: unknown): string | FormData =>
  typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body);

async function once(url: string, init: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
  } catch (error) {
    // TypeError: the connection broke; TimeoutError: nothing came in time. By name: in Jest they are of another realm.
    const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
    if (name === 'TypeError' || name === 'TimeoutError') return undefined;
    throw error;
  }
}
