import { toPaise } from '@karaar/contracts/charge';
import { invalid } from '@karaar/platform/errors';

/** The paise of an amount in rupees that somebody typed. Throws 422 for more than two decimals. */
export function paiseOf(amount: number): number {
  try {
    return toPaise(amount);
  } catch {
    throw invalid([{ loc: 'amount', msg: 'Please enter a valid amount' }]);
  }
}
