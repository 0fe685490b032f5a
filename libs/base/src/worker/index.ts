export { whileBeating } from './beat.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
