import type { RouteContract } from './kit.ts';

/**
 * `quick` calls are answered as soon as their service has capacity, so slow ones show a queue. `long` calls
 * are slow by nature (uploads, downloads, photo checks, sealing, exports, the card provider), which must not
 * be mistaken for a queue.
 */
export const TRAFFIC_CLASSES = ['quick', 'long'] as const;
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

/** Returns the traffic class of a route. @param usualMs the deadline of a contract without its own */
export function trafficClassOf(contract: RouteContract, usualMs: number): TrafficClass {
  const { response, timeoutMs = 0 } = contract;
  if (contract.quickWithoutFiles) return 'quick';
  const sendsFile = Object.values(response).includes('binary');
  const isLong = contract.heavy === true || contract.multipart !== undefined || sendsFile;
  return isLong || timeoutMs > usualMs ? 'long' : 'quick';
}
