import type { BlockerCode, DeletionBlocker } from '@karaar/contracts/auth/deletion-blocker';
import type { KeyOf, Message } from '@karaar/i18n';
import { money } from '@karaar/ui/format';
import type en from '../../shared/catalogs/profile/texts/en.json';

const words = {
  unfinished_agreements: 'blockedByAgreements',
  wallet_rest: 'blockedByRest',
  wallet_not_empty: 'blockedByMoney',
  top_up_under_way: 'blockedByTopUp',
  payment_under_way: 'blockedByPayment',
  reversal_under_way: 'blockedByReversal',
} as const satisfies Record<BlockerCode, KeyOf<typeof en>>;

/**
 * Returns the message of a reason against the deletion; null for a reason of a later release, whose own text
 * is then shown.
 */
export function blockerMessage({
  code,
  amount,
  names = [],
  more = 0,
}: DeletionBlocker): Message<KeyOf<typeof en>> | null {
  if (!Object.hasOwn(words, code)) return null;
  return {
    key: words[code as BlockerCode],
    values: { amount: money(amount ?? 0), names: names.map((name) => `“${name}”`).join(', '), more },
  };
}
