import type { RouteContract } from './kit.ts';

/**
 * The priority of requests under load: `vital` is money and sign-in, `patient` requests are repeated
 * automatically or can be made later (lists, counts, exports), `usual` is everything else.
 */
export const URGENCIES = ['vital', 'usual', 'patient'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Query parameters of paged lists and daily figures. */
const OF_LISTS = ['cursor', 'limit', 'days'];

/**
 * Returns the contract's own urgency; without it `patient` for GET of lists, counts and exports, else
 * `usual`.
 */
export function urgencyOf(contract: RouteContract): Urgency {
  const { method, path, urgency } = contract;
  if (urgency) return urgency;
  if (method !== 'GET') return 'usual';
  if (isExport(path) || path.endsWith('/counts')) return 'patient';
  const query = Object.keys(contract.query?.properties ?? {});
  if (query.some((name) => OF_LISTS.includes(name))) return 'patient';
  const answer = contract.response[200];
  return typeof answer === 'object' && 'type' in answer && answer.type === 'array' ? 'patient' : 'usual';
}

const isExport = (path: string): boolean => path.endsWith('/export');
