/**
 * Accounts at the card provider where payers bear the provider's fee: more is captured than the order says. Whatever comes
 * in or goes back of such a payment has two parts, the wallet's and the fee's. Pure.
 */
import type { ProviderPayment } from './card-provider.ts';

/** Of the order, in percent. The provider's dearest cards are below 5 % with tax. */
const MOST_PERCENT = 10;
/** Of small orders, in paise: a fee may have a fixed part. */
const MOST_OF_SMALL = 100;

/**
 * What a captured payment has on top of its order for the provider's fee, in paise: 0 for the order's own amount. Undefined
 * for a payment that does not fit the order: too little, or more than the fee that the provider tells of.
 */
export function feeOnTop(
  orderPaise: number,
  { amountPaise, feePaise }: Pick<ProviderPayment, 'amountPaise' | 'feePaise'>,
): number | undefined {
  const onTop = amountPaise - orderPaise;
  if (onTop === 0) return 0;
  const most = Math.max((orderPaise * MOST_PERCENT) / 100, MOST_OF_SMALL);
  // The merchant may bear a part of the fee: on top of the order is all of it, or less.
  return onTop > 0 && onTop <= feePaise && feePaise <= most ? onTop : undefined;
}

/** An order with the fee that was paid on top of it, or what went back of both, in paise. */
type Parts = { walletPaise: number; feePaise: number };

/**
 * The part of a refund or a dispute that was paid on top for the fee, and so never was in the wallet: by which it exceeds what
 * is left of the order.
 *
 * @param gone what went back before, as far as we know
 */
export function feeGoingBack(amountPaise: number, order: Parts, gone: Parts): number {
  const left = order.walletPaise + order.feePaise - gone.walletPaise - gone.feePaise;
  // No more goes back than was captured: some of what is gone has failed, and that is still to be told. Whichever it is, the
  // wallet bears no more than it got.
  if (amountPaise > left) return Math.min(amountPaise, order.feePaise);
  return Math.min(amountPaise, Math.max(0, amountPaise - (order.walletPaise - gone.walletPaise)));
}
