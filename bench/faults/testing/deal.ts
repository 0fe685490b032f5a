import { randomInt } from 'node:crypto';
import type { WorldUser } from '@karaar/testing/service-world';
import { MESSENGERS, type Dealings } from './dealings.ts';

const SHARES = [60, 40] as const;

/** Repeats a user's top-ups, payments, refunds and remainders given up until the end of the run. */
export async function deal(
  deals: Dealings,
  user: WorldUser,
  other: WorldUser,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const messengers = MESSENGERS.filter(() => Math.random() < 0.4);
    const payment = await deals.topUp(user, randomInt(100, 1_200) / 100, messengers);
    const document = await deals.shareOut([user, other], SHARES);
    await Promise.all([user, other].map((each) => deals.pay(each, document)));
    if (Math.random() < 0.2) await deals.refund(payment, 1);
    await deals.giveUp(user);
  }
}
