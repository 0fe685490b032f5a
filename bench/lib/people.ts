import { newPerson, signIn, type Patience, type Person } from '@karaar/e2e/src/person.ts';
import pMap from 'p-map';

/** Parallel requests of the preparation. */
export const AT_ONCE = 8;
/** Users who repeat a call while the product may still work on the last attempt. */
export const HURRIED: Patience = { forMs: 120_000, attemptMs: 5_000 };

/** Signs in the two users of the demo. */
export const demoUsers = (url: string, patience?: Patience): Promise<[Person, Person]> =>
  Promise.all([
    signIn(url, 'Asha Rao', '+919000000001', { ...(patience && { patience }) }),
    signIn(url, 'Vikram Shah', '+919000000002', { ...(patience && { patience }) }),
  ]);

/** Registers users with phone numbers that only this function uses, and signs in; some in parallel. */
export function newcomers(url: string, count: number): Promise<Person[]> {
  const numbers = Array.from({ length: count }, (_, i) => String(i).padStart(8, '0'));
  return pMap(numbers, (n) => newPerson(url, `Person ${n}`, `+9170${n}`), { concurrency: AT_ONCE });
}
