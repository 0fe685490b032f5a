import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';
import type { ThreadJob, ThreadResult } from './http-flood.ts';

const { port, request, connections, durationMs } = workerData as ThreadJob;
const bytes = Buffer.from(request);
let completed = 0;
let failed = 0;
let over = false;

/** The next request goes out when the last answer is complete. */
function ask(connection: Connection): void {
  connection.send(bytes, (answer) => {
    if (over) return;
    if (answer?.status === 200) completed += 1;
    else failed += 1;
    if (connection.isOpen) ask(connection);
  });
}

const start = performance.now();
const all = Array.from({ length: connections }, () => new Connection(port));
all.forEach(ask);
setTimeout(() => {
  over = true;
  const result: ThreadResult = { completed, failed, elapsedMs: performance.now() - start };
  parentPort?.postMessage(result);
  for (const connection of all) connection.destroy();
}, durationMs);
