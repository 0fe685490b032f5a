/** What a movement of money was for, for readers of another language than English: the wallet's own texts are English. */
import type { KeyOf, Message } from '@karaar/i18n';
import type en from './texts/en.json';

const PAYMENT = /^Payment for (?<name>.+)$/su;
const REVERSAL = /^Reversal of payment for (?<name>.+)$/su;

/** The message for a description of the wallet; null for one that it does not know, which is then shown as it is. */
export function movementMessage(description: string): Message<KeyOf<typeof en>> | null {
  const name = PAYMENT.exec(description)?.groups?.['name'];
  if (name) return { key: 'forDocument', values: { name } };
  const reversed = REVERSAL.exec(description)?.groups?.['name'];
  if (reversed) return { key: 'reversalOf', values: { name: reversed } };
  if (description === 'Wallet top-up') return { key: 'purpose' };
  if (description === 'Refund to card') return { key: 'refundToCard' };
  if (description === 'Disputed card payment') return { key: 'disputed' };
  if (description === 'Disputed card payment returned') return { key: 'disputeBack' };
  return description === 'Refund to card not possible' ? { key: 'refundBack' } : null;
}
