/** What the machine itself has to give to several threads: the peer of the pool's throughput. */
import { Worker } from 'node:worker_threads';

/** What each of so many threads that only compute does, in shares of what one does alone; 1 on a machine with whole cores. */
export async function measureMachine(threads: number, durationMs: number): Promise<number> {
  const alone = await roundsOf(1, durationMs);
  return (await roundsOf(threads, durationMs)) / alone / threads;
}

async function roundsOf(threads: number, durationMs: number): Promise<number> {
  const rounds = await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('./arithmetic.ts', import.meta.url), { workerData: durationMs });
      return new Promise<number>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
    }),
  );
  return rounds.reduce((sum, one) => sum + one, 0);
}
