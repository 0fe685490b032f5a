import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a check holds, asking every 25 ms.
 *
 * @param check false or a throw means not yet
 * @throws what the check threw last, or that it did not hold in time
 */
export async function until(what: string, check: () => unknown, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let fault: unknown;
    try {
      if (await check()) return;
    } catch (error) {
      fault = error;
    }
    if (Date.now() > deadline) throw new Error(`Not in ${timeoutMs} ms: ${what}`, { cause: fault });
    await sleep(25);
  }
}
