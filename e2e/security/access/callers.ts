/** Tokens for whoever calls: a person with a whole profile, and the development's admin. */
import type { Access } from '@karaar/contracts/kit';
import { ADMIN_PASSWORD } from '../../src/database.ts';
import { callerOf, newPerson } from '../../src/person.ts';
import { freshPhone } from '../../src/signed-in.ts';
import type { Target } from '../check.ts';

const ADMIN = { username: 'admin', password: ADMIN_PASSWORD };

export function callers(url: string): Target['token'] {
  const person = async (): Promise<string> => (await newPerson(url, 'Tara Bose', freshPhone())).token;
  const admin = async (): Promise<string> =>
    String((await callerOf(url).call('POST', '/admin/login', ADMIN)).body['token']);
  const kept = new Map<Access, Promise<string>>();
  return async (access, fresh = false) => {
    if (access === 'public') return undefined;
    const make = access === 'admin' ? admin : person;
    if (fresh) return make();
    const known = kept.get(access) ?? make();
    kept.set(access, known);
    return known;
  };
}
