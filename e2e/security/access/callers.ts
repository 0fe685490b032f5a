/** Tokens of a user with a complete profile and of the development's admin. */
import type { Access } from '@karaar/contracts/kit';
import { adminToken, newPerson } from '../../src/person.ts';
import type { Target } from '../check.ts';

export function callers(url: string): Target['token'] {
  const make = async (access: 'user' | 'admin'): Promise<string> =>
    access === 'user' ? (await newPerson(url, 'Tara Bose')).token : adminToken(url);
  const kept = new Map<Access, Promise<string>>();
  return async (access, fresh = false) => {
    if (access === 'public') return undefined;
    if (fresh) return make(access);
    const token = kept.get(access) ?? make(access);
    kept.set(access, token);
    return token;
  };
}
