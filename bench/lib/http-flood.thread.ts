import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadJob, ThreadResult } from './http-flood.ts';

const { port, request, connections, durationMs } = workerData as ThreadJob;
const bytes = Buffer.from(request);
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const STATUS_200 = Buffer.from('HTTP/1.1 200');

let completed = 0;
let failed = 0;
const sockets = new Set<Socket>();

/** One keep-alive connection: the next request goes out when the last answer is complete. */
function open(): void {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let pending: Buffer | null = null;
  sockets.add(socket);
  socket.on('connect', () => socket.write(bytes));
  socket.on('data', (chunk: Buffer) => {
    const data = pending === null ? chunk : Buffer.concat([pending, chunk]);
    const length = answerLength(data);
    if (length === 0 || data.length < length) {
      pending = data;
      return;
    }
    pending = null;
    if (data.subarray(0, STATUS_200.length).equals(STATUS_200)) completed += 1;
    else failed += 1;
    socket.write(bytes);
  });
  socket.on('error', () => {
    failed += 1;
  });
  socket.on('close', () => sockets.delete(socket));
}

/** Bytes of the answer that begins here, 0 while its head is not complete. */
function answerLength(data: Buffer): number {
  const end = data.indexOf(END_OF_HEAD);
  if (end === -1) return 0;
  const head = data.toString('latin1', 0, end);
  const match = /content-length: *(\d+)/i.exec(head);
  if (match === null) throw new Error('The flood needs answers with a content-length');
  return end + 4 + Number(match[1]);
}

const start = performance.now();
for (let i = 0; i < connections; i += 1) open();
setTimeout(() => {
  const result: ThreadResult = { completed, failed, elapsedMs: performance.now() - start };
  parentPort?.postMessage(result);
  for (const socket of sockets) socket.destroy();
}, durationMs);
