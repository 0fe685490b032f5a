/** Translates the purpose of a money movement: the ledger's own texts are English. */

/** The text key in user interfaces and statements. */
export type MovementMessage =
  | { key: 'purpose' | 'refundToCard' | 'refundBack' | 'disputed' | 'disputeBack' | 'restGivenUp' }
  | { key: 'purposeWithFee'; values: { fee: string } }
  | { key: 'forDocument' | 'reversalOf'; values: { name: string } };

const PAYMENT = /^Payment for (?<name>.+)$/su;
const REVERSAL = /^Reversal of payment for (?<name>.+)$/su;

const WITH_FEE = /^Wallet top-up, card fee of ₹(?<fee>[\d.]+) paid on top$/;

/**
 * Returns the message for a description of the ledger; null for an unknown one, which is then shown
 * unchanged.
 */
export function movementMessage(description: string): MovementMessage | null {
  const name = PAYMENT.exec(description)?.groups?.['name'];
  if (name) return { key: 'forDocument', values: { name } };
  const reversed = REVERSAL.exec(description)?.groups?.['name'];
  if (reversed) return { key: 'reversalOf', values: { name: reversed } };
  const fee = WITH_FEE.exec(description)?.groups?.['fee'];
  if (fee) return { key: 'purposeWithFee', values: { fee } };
  if (description === 'Wallet top-up') return { key: 'purpose' };
  if (description === 'Refund to card') return { key: 'refundToCard' };
  if (description === 'Rest given up') return { key: 'restGivenUp' };
  if (description === 'Disputed card payment') return { key: 'disputed' };
  if (description === 'Disputed card payment returned') return { key: 'disputeBack' };
  return description === 'Refund to card not possible' ? { key: 'refundBack' } : null;
}
