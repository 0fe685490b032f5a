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

/**
 * Keeps a server on loopback busy with the same GET over bare keep-alive sockets: closed loop, for
 * throughput. The sender does as little as possible, so that it outruns what it measures.
 */
export async function flood(options: FloodOptions): Promise<FloodResult> {
  const threads = options.threads ?? 2;
  const head = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${options.path} HTTP/1.1\r\nhost: 127.0.0.1:${options.port}\r\n${head.join('')}\r\n`;
  const parts = await Promise.all(
    Array.from({ length: threads }, () =>
      runThread({
        port: options.port,
        request,
        connections: Math.ceil(options.connections / threads),
        durationMs: options.durationMs,
      }),
    ),
  );
  const completed = parts.reduce((sum, part) => sum + part.completed, 0);
  const seconds = Math.max(...parts.map((part) => part.elapsedMs)) / 1_000;
  return {
    completed,
    failed: parts.reduce((sum, part) => sum + part.failed, 0),
    throughput: completed / seconds,
  };
}

export type ThreadJob = { port: number; request: string; connections: number; durationMs: number };
export type ThreadResult = { completed: number; failed: number; elapsedMs: number };

function runThread(job: ThreadJob): Promise<ThreadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./http-flood.thread.ts', import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
