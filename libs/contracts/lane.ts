import type { RouteContract } from './kit.ts';

/**
 * `quick` calls are answered as fast as their service has room, so their times show a queue. `long` calls take time
 * by nature (uploads, downloads, photo checks, sealing, exports, the card provider), which would be mistaken for a
 * queue.
 */
export const LANES = ['quick', 'long'] as const;
export type Lane = (typeof LANES)[number];

/**
 * Routes with a long deadline for files that most requests do not have: they count as quick until their body exceeds
 * the size that is read in one piece (gateway/src/proxy/request-body.ts). Headers do not matter. A test checks that
 * each is in a contract.
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
