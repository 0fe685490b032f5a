/** The text about the price for the reader, before and after an approval; pure. */
import type { Document } from '@karaar/contracts/documents/http';
import type { Calculation } from '@karaar/contracts/payments/http';
import type { KeyOf, Message } from '@karaar/i18n';
import { shortMoney, userName } from '@karaar/ui/format';
import type en from '../../shared/catalogs/detail/texts/en.json';

/**
 * Returns the payers: the user's own share if shares are set up; else the creator, with a note that shares
 * can still be set. A share set after the user's own approval is marked.
 */
export function priceNote(
  document: Pick<Document, 'primary_user' | 'primary_user_name' | 'status'>,
  { payment_distributions: shares, total_amount, duration_days }: Calculation,
  userId: string,
): Message<KeyOf<typeof en>> {
  const values = { total: shortMoney(total_amount), days: duration_days };
  const name = userName(document.primary_user_name);
  const isCreator = document.primary_user === userId;
  if (shares.length === 0) {
    return isCreator ? { key: 'priceYours', values } : { key: 'priceCreator', values: { ...values, name } };
  }
  const share = shares.find(({ user_id }) => user_id === userId);
  if (!share || share.amount === 0) return { key: 'priceNoShare', values };
  const own = { amount: shortMoney(share.amount), percent: share.percentage };
  const approved = document.status === 'approved' || document.status === 'finalized';
  if (approved && !isCreator) return { key: 'priceSet', values: { ...own, total: values.total, name } };
  return { key: 'priceShare', values: { ...values, ...own } };
}

/** Returns that the user's share was changed, and from which amount; null for the creator, who changed it. */
export function shareChange(
  { primary_user }: Pick<Document, 'primary_user'>,
  { payment_distributions: shares }: Pick<Calculation, 'payment_distributions'>,
  userId: string,
): Message<KeyOf<typeof en>> | null {
  const share = shares.find(({ user_id }) => user_id === userId);
  if (share?.amount_before === undefined || primary_user === userId) return null;
  const values = { before: shortMoney(share.amount_before), amount: shortMoney(share.amount) };
  return { key: 'shareChanged', values };
}
