/** Counts in fixed windows: decided in memory, and added up between processes through Redis. */
export { keepSharing, redisCounts } from './shared.ts';
export { WindowCounter, type SharedCounts, type WindowCounterOptions } from './window-counter.ts';
