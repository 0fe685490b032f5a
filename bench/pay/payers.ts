/** People who pay: registered, signed in and with money in their wallets, all over the public API. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { idCardPng } from '@karaar/testing/faces';
import { paidOrder, signIn, type Payer } from '../faults/people.ts';
import { eachOf } from './each-of.ts';

/** Requests of the preparation under way at once. */
const AT_ONCE = 8;
const FUNDS_RUPEES = 10_000;

/** Rooms for people who come from one address. */
export const PAYERS_ENV = {
  RATE_LIMIT_SENSITIVE_PER_MINUTE: '10000000',
  RATE_LIMIT_PER_MINUTE: '10000000',
  OTP_IP_PER_HOUR: '1000000',
  OTP_TOTAL_PER_HOUR: '1000000',
  REGISTER_IP_PER_HOUR: '1000000',
};

export async function makePayers(product: Product, count: number): Promise<Payer[]> {
  const card = new Uint8Array(await idCardPng());
  const sandbox = product.process('sandbox').url;
  return eachOf(
    Array.from({ length: count }, (_, i) => i),
    AT_ONCE,
    async (i) => {
      const phone = `+9170${String(i).padStart(8, '0')}`;
      await register(product.url, phone, card);
      const payer = await signIn(product.url, phone);
      const { checkout } = await paidOrder(sandbox, payer, FUNDS_RUPEES);
      const { status } = await payer.call('POST', '/wallet/verify-razorpay-payment', checkout);
      if (status !== 200) throw new Error(`the top-up answered ${status}`);
      return payer;
    },
  );
}

async function register(url: string, phone: string, card: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    name: `Payer ${phone.slice(-8)}`,
    email: `${phone.slice(1)}@example.org`,
    phone_no: phone,
    city: 'Pune',
    state: 'Maharashtra',
    govt_id_type: 'PAN',
    govt_id_number: 'ABCDE1234F',
  }))
    form.append(name, value);
  form.append('govt_id_image', new Blob([card], { type: 'image/png' }), 'id.png');
  for (let left = 20; ; left -= 1) {
    const response = await fetch(`${url}/api/auth/register`, { method: 'POST', body: form });
    const text = await response.text();
    if (response.status === 201) return;
    // Patient where a part is coming up, as everybody else here.
    if (response.status !== 503 || left === 0)
      throw new Error(`the registration answered ${response.status} ${text}`);
    await sleep(200);
  }
}
