import { toPaise } from '@karaar/contracts/charge';
import { invalid } from '@karaar/base/errors';

/** Converts an amount in rupees to paise. Throws 422 for more than two decimals. */
export function paiseOf(amount: number): number {
  try {
    return toPaise(amount);
  } catch {
    throw invalid([{ loc: 'amount', msg: 'Please enter a valid amount' }]);
  }
}
