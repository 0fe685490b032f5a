/** Who is let in when not all can: limits that follow the queue before a service (ADR 0032), and its breaker. */
export { Baseline } from './baseline.ts';
export { Breaker } from './breaker.ts';
export { countShed, showGates } from './gateway-metrics.ts';
export { InFlightLimit, type Release } from './in-flight-limit.ts';
export { LoopGuard, watchLoop, type LoopDelay } from './loop-guard.ts';
export { retryAfterS } from './retry-after.ts';
export type { Holder, Part } from './shares.ts';
export { ServiceGate, type ServiceGateOptions } from './service-gate.ts';
