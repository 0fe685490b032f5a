import type { ExceptionKind, Resolution } from '@karaar/contracts/wallet/exceptions';

/**
 * Returns the resolutions that fit an exception: money in suspense can go to a wallet, and a payment back to
 * its card; the other two only change our books.
 */
export function resolutionsOf(row: {
  kind: ExceptionKind;
  booked_paise: number;
  provider_refund_id: string | null;
}): Resolution[] {
  const fits: Resolution[] = [];
  if (row.booked_paise > 0) fits.push('credit_user');
  // After the bank has sent a refund back, a second one is impossible: the provider identifies a refund by
  // the exception's id.
  if (row.booked_paise > 0 && row.kind === 'payment_uncredited' && row.provider_refund_id === null)
    fits.push('refund_card');
  return [...fits, 'written_off', 'settled_elsewhere'];
}
