/** What two people do with money again and again while something is done to the services. */
import { randomInt } from 'node:crypto';
import type { WorldUser } from '@karaar/testing/service-world';
import { MESSENGERS, type Dealings } from './dealings.ts';

const SHARES = [60, 40] as const;

/** Tops up, shares out, pays, asks for refunds and gives rests up until it is over. */
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
