import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type FloodOptions = {
  port: number;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Open connections over all threads; each has one request under way. */
  connections: number;
  durationMs: number;
  /** Threads that send. */
  threads?: number;
};

export type FloodResult = {
  completed: number;
  /** Answers that were not 200, and connections that broke. */
  failed: number;
  /** Answers per second. */
  throughput: number;
};

export type ThreadJob = { port: number; request: string; connections: number; durationMs: number };
export type ThreadResult = { completed: number; failed: number; elapsedMs: number };

/**
 * Keeps a server on loopback busy with the same GET over bare keep-alive sockets: closed loop, for
 * throughput. The sender does as little as possible, so that it outruns what it measures.
 */
export async function flood(options: FloodOptions): Promise<FloodResult> {
  const { port, path, headers, durationMs, threads = 2 } = options;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`;
  const connections = Math.ceil(options.connections / threads);
  const job: ThreadJob = { port, request, connections, durationMs };
  const parts = await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('./http-flood.thread.ts', import.meta.url), { workerData: job });
      return ((await once(worker, 'message')) as [ThreadResult])[0];
    }),
  );
  const sum = (key: 'completed' | 'failed') => parts.reduce((all, part) => all + part[key], 0);
  const seconds = Math.max(...parts.map(({ elapsedMs }) => elapsedMs)) / 1_000;
  return { completed: sum('completed'), failed: sum('failed'), throughput: sum('completed') / seconds };
}
