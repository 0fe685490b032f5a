/** A thread that does nothing but compute, for as many milliseconds as it is told; says how many rounds it got done. */
import { parentPort, workerData } from 'node:worker_threads';

/** Small enough for the nearest cache. */
const numbers = new Float32Array(4_096).fill(1);
const until = performance.now() + Number(workerData);
let rounds = 0;
for (; performance.now() < until; rounds++)
  for (let i = 0; i < numbers.length; i++) numbers[i] = Math.sqrt((numbers[i] ?? 0) + 0.5);
parentPort?.postMessage(rounds);
