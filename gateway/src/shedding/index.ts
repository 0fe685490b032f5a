/**
 * Load shedding: concurrency limits that follow the queue at a service (ADR 0032), and its circuit breaker.
 */
export { Baseline } from './baseline.ts';
export { Breaker } from './breaker.ts';
export { countShed, showGates } from './gateway-metrics.ts';
export { InFlightLimit, type Release } from './in-flight-limit.ts';
export { LoopGuard, watchLoop, type LoopDelay } from './loop-guard.ts';
export { retryAfterS } from './retry-after.ts';
export type { Holder, Part } from './shares.ts';
export { ServiceGate, type ServiceGateOptions } from './service-gate.ts';
