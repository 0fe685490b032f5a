import { toRupees } from '@karaar/contracts/charge';
import { AppError, conflict, notFound, unprocessable } from '@karaar/base/errors';

const rupees = (paise: number): string => toRupees(paise).toFixed(2);

/** Spec §5: 'Insufficient wallet balance. Required: ₹{x}, Available: ₹{y}'. */
export const insufficientBalance = (requiredPaise: number, availablePaise: number) =>
  new AppError(
    402,
    'insufficient_balance',
    `Insufficient wallet balance. Required: ₹${rupees(requiredPaise)}, Available: ₹${rupees(availablePaise)}`,
  );

export const idempotencyMismatch = () =>
  conflict(
    'idempotency_mismatch',
    'This request was already made with other values. Nothing was charged again.',
  );

export const statementTooLong = () =>
  unprocessable(
    'statement_too_long',
    'This period has too many transactions for a PDF. Choose a shorter one, or take the CSV.',
  );

export const debitNotFound = () =>
  notFound('debit_not_found', 'This payment has not left the wallet. Nothing was given back.');
