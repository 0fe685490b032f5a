export { whileBeating } from './beat.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
export { claimDue, inMs, isFree, unhurried, type Claim } from './claim.ts';
