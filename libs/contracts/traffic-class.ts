import type { RouteContract } from './kit.ts';

/**
 * `quick` calls are answered as fast as their service has room, so their times show a queue. `long` calls take time
 * by nature (uploads, downloads, photo checks, sealing, exports, the card provider), which would be mistaken for a
 * queue.
 */
export const TRAFFIC_CLASSES = ['quick', 'long'] as const;
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

/** @param usualMs the deadline of a contract that names none */
export function trafficClassOf(contract: RouteContract, usualMs: number): TrafficClass {
  const { response, timeoutMs = 0 } = contract;
  if (contract.quickWithoutFiles) return 'quick';
  const sendsFile = Object.values(response).includes('binary');
  const isLong = contract.heavy === true || contract.multipart !== undefined || sendsFile;
  return isLong || timeoutMs > usualMs ? 'long' : 'quick';
}
