/** Which resolutions fit an exception. Pure. */
import type { ExceptionKind, Resolution } from '@karaar/contracts/wallet/exceptions';

/** Money that lies in suspense can go to a wallet, and a payment back to its card; the rest is a decision about our books. */
export function resolutionsOf(row: {
  kind: ExceptionKind;
  booked_paise: number;
  provider_refund_id: string | null;
}): Resolution[] {
  const fits: Resolution[] = [];
  if (row.booked_paise > 0) fits.push('credit_user');
  // A refund that the bank sent back is not asked for again: the provider knows it under the exception's name.
  if (row.booked_paise > 0 && row.kind === 'payment_uncredited' && row.provider_refund_id === null)
    fits.push('refund_card');
  return [...fits, 'written_off', 'settled_elsewhere'];
}
