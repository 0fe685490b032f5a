/** Tries to set the price as a user where only admins may. */
import { callerOf } from '../../src/person.ts';
import type { Finding, ProductCheck } from '../check.ts';

export const price: ProductCheck = {
  name: 'price',
  holds: 'users cannot set the price where only admins may',
  run: async ({ url, token }) => {
    const user = callerOf(url, await token('user'));
    const found: Finding[] = [];
    for (const method of ['POST', 'PUT']) {
      const { status } = await user.once(method, '/documents/pricing', { daily_rate: 0.01 });
      if (status !== 403) found.push({ where: `${method} documents/pricing`, what: `a user got ${status}` });
    }
    return found;
  },
};
