import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a check holds, repeating it every 25 ms.
 *
 * @param check false or a throw means not yet
 * @throws the last error of the check, or an Error after the timeout
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
