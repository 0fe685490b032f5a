import type { RouteContract } from './kit.ts';

/**
 * `quick` calls are answered as fast as their service has room: their times show a queue. `long` ones take their time by
 * nature (files up and down, photo checks, sealing, exports, the card provider), which would be taken for one.
 */
export const LANES = ['quick', 'long'] as const;
export type Lane = (typeof LANES)[number];

/**
 * Their contracts give time for a form that most requests come without: those count as quick until more of their body has
 * arrived than is gathered at once (gateway/src/proxy/request-body.ts), as every quick request does. Headers have no say in it.
 * A test holds that each is a contract's.
 */
export const QUICK_WITHOUT_FILES: ReadonlySet<string> = new Set([
  'POST /messaging/send',
  'PUT /users/profile',
]);

/** @param usualMs the deadline of a contract that names none */
export function laneOf(contract: RouteContract, usualMs: number): Lane {
  const { method, path, response, timeoutMs = 0 } = contract;
  if (QUICK_WITHOUT_FILES.has(`${method} ${path}`)) return 'quick';
  const sendsFile = Object.values(response).includes('binary');
  const isLong = contract.heavy === true || contract.multipart !== undefined || sendsFile;
  return isLong || timeoutMs > usualMs ? 'long' : 'quick';
}
