/** A user who sets the price in an installation where administrators alone may, as in production. */
import { callerOf } from '../../src/person.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** What the run's product is told (`main.ts`), which production is without being told. */
export const PRICE_SET_BY = 'admins';

async function trySetting({ url, token }: Target): Promise<Finding[]> {
  const user = callerOf(url, await token('user'));
  const found: Finding[] = [];
  for (const method of ['POST', 'PUT']) {
    const { status } = await user.once(method, '/documents/pricing', { daily_rate: 0.01 });
    if (status !== 403) found.push({ where: `${method} documents/pricing`, what: `a user got ${status}` });
  }
  return found;
}

export const price: ProductCheck = {
  name: 'price',
  holds: 'where administrators alone set the price, no user does',
  run: trySetting,
};
