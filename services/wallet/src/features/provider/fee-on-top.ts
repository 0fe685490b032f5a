/**
 * For accounts at the card provider where payers bear the fee: more is captured than the order's amount. Such
 * a payment, and every refund of it, has a wallet part and a fee part. Pure.
 */
import type { ProviderPayment } from './card-provider.ts';

/**
 * The largest fee in percent of the order. The provider's most expensive cards cost less than 5 % with tax.
 */
const MOST_PERCENT = 10;
/** The largest fee of a small order in paise: a fee may have a fixed part. */
const MOST_OF_SMALL = 100;

/**
 * Returns the part of a captured payment on top of its order for the provider's fee, in paise. Returns
 * undefined if the payment does not fit the order: too little, or more than the reported fee.
 */
export function feeOnTop(
  orderPaise: number,
  { amountPaise, feePaise }: Pick<ProviderPayment, 'amountPaise' | 'feePaise'>,
): number | undefined {
  const onTop = amountPaise - orderPaise;
  if (onTop === 0) return 0;
  const most = Math.max((orderPaise * MOST_PERCENT) / 100, MOST_OF_SMALL);
  // The merchant may bear a part of the fee, so the payer may have paid less than all of it.
  return onTop > 0 && onTop <= feePaise && feePaise <= most ? onTop : undefined;
}

/** An order and the fee on top, or the refunded parts of both, in paise. */
type Parts = { walletPaise: number; feePaise: number };

/**
 * Returns the fee's part of a refund or a dispute, which was never in the wallet: the part beyond the rest of
 * the order.
 * @param refunded the parts that went back before, as far as we know
 */
export function feeGoingBack(amountPaise: number, order: Parts, refunded: Parts): number {
  const left = order.walletPaise + order.feePaise - refunded.walletPaise - refunded.feePaise;
  // More than is left cannot go back, so an earlier refund has failed without our knowing. In any case the
  // wallet bears no more than it received.
  if (amountPaise > left) return Math.min(amountPaise, order.feePaise);
  return Math.min(amountPaise, Math.max(0, amountPaise - (order.walletPaise - refunded.walletPaise)));
}
