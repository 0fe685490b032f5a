/** Background work: the loop, and taking rows of a queue under a lease. */
export { whileBeating } from './beat.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
export { claimDue, inMs, isFree, unhurried, type Claim } from './claim.ts';
