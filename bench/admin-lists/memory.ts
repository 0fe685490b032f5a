/** What an export holds in memory while it is read, in the process that makes it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1024 * 1024;
// What is only not collected yet is not held.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const held = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
};

/**
 * Reads an export as slowly as a network would, looking at the memory on the way.
 * @param least lines that it must have
 * @returns megabytes above what there was before, at most
 * @throws Error when it is shorter
 */
export async function exportHeld(
  url: string,
  headers: Record<string, string>,
  least: number,
): Promise<number> {
  const before = held();
  const response = await fetch(url, { headers });
  if (!response.body) throw new Error(`${url} answered ${response.status} without a body`);
  let lines = 0;
  let chunks = 0;
  let most = 0;
  // The stream of fetch can be walked; the browser's types, which hold here, do not know it.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    chunks += 1;
    if (chunks % 16 === 0) {
      most = Math.max(most, held() - before);
      await sleep(1);
    }
  }
  if (lines <= least) throw new Error(`${url}: ${lines} lines of ${least}`);
  return most;
}
