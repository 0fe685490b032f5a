/** People who pay: registered, signed in and with money in their wallets, all over the public API. */
import type { Product } from '@karaar/dev/product';
import { paidOrder, type Payer } from '../faults/people.ts';
import { newcomer } from '../lib/newcomers.ts';
import { eachOf } from './each-of.ts';

/** Requests of the preparation under way at once. */
const AT_ONCE = 8;
const FUNDS_RUPEES = 10_000;

/** Rooms for people who come from one address. */
export const PAYERS_ENV = {
  RATE_LIMIT_SENSITIVE_PER_MINUTE: '10000000',
  INVITATIONS_PER_USER_AND_DAY: '10000000',
  RATE_LIMIT_PER_MINUTE: '10000000',
  CONNECTIONS_PER_ADDRESS: '10000000',
  REQUESTS_PER_ADDRESS: '10000000',
  LONG_PER_ADDRESS: '10000000',
  OTP_IP_PER_HOUR: '1000000',
  OTP_TOTAL_PER_HOUR: '1000000',
  REGISTER_IP_PER_HOUR: '1000000',
};

export async function makePayers(product: Product, count: number): Promise<Payer[]> {
  const sandbox = product.process('sandbox').url;
  return eachOf(
    Array.from({ length: count }, (_, i) => i),
    AT_ONCE,
    async (i) => {
      const phone = `+9170${String(i).padStart(8, '0')}`;
      const payer = await newcomer(product.url, `Payer ${phone.slice(-8)}`, phone);
      const { checkout } = await paidOrder(sandbox, payer, FUNDS_RUPEES);
      const { status } = await payer.call('POST', '/wallet/verify-razorpay-payment', checkout);
      if (status !== 200) throw new Error(`the top-up answered ${status}`);
      return payer;
    },
  );
}
