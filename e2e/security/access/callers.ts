/** Tokens for whoever calls: a person with a whole profile, and the development's admin. */
import type { Access } from '@karaar/contracts/kit';
import { newPerson } from '../../src/person.ts';
import type { Target } from '../check.ts';

const ADMIN = { username: 'admin', password: 'karaar-admin' };

export function callers(url: string): Target['token'] {
  let people = 0;
  const person = async (): Promise<string> => {
    people += 1;
    return (await newPerson(url, 'Tara Bose', `+9185${String(people).padStart(8, '0')}`)).token;
  };
  const admin = async (): Promise<string> => {
    const response = await fetch(`${url}/api/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    const { token } = (await response.json()) as { token?: string };
    if (token === undefined) throw new Error(`the admin could not sign in: ${response.status}`);
    return token;
  };
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
