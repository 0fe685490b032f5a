/** The names of exceptions. */
import type { PaymentException } from '@karaar/contracts/wallet/exceptions';
import type { KeyOf } from '@karaar/i18n';
import type en from './texts/en.json';

type Key = KeyOf<typeof en>;

export const KIND_TEXTS = {
  payment_uncredited: 'kindUncredited',
  payment_missing: 'kindMissing',
  refund_unmatched: 'kindRefundUnmatched',
  refund_differs: 'kindRefundDiffers',
  refund_missing: 'kindRefundMissing',
  dispute_unmatched: 'kindDisputeUnmatched',
  dispute_differs: 'kindDisputeDiffers',
  dispute_missing: 'kindDisputeMissing',
  wallet_short: 'kindShort',
  settlement_unmatched: 'kindSettlementPart',
  settlement_differs: 'kindSettlementSum',
  clearing_differs: 'kindClearing',
} as const satisfies Record<PaymentException['kind'], Key>;

export const STATE_TEXTS = {
  open: 'stateOpen',
  proposed: 'stateProposed',
  resolved: 'stateResolved',
} as const satisfies Record<PaymentException['state'], Key>;

export const RESOLUTION_TEXTS = {
  credit_user: 'creditUser',
  refund_card: 'refundCard',
  written_off: 'writtenOff',
  settled_elsewhere: 'settledElsewhere',
  settled_itself: 'settledItself',
} as const satisfies Record<NonNullable<PaymentException['resolution']>, Key>;
