import { setTimeout as sleep } from 'node:timers/promises';

/** Background work. `poke` has it looked for at once, `stop` ends the loop after the turn that is under way. */
export type WorkerLoop = { poke: () => void; stop: () => Promise<void> };

/**
 * Looks for work again and again.
 * @param idleMs how long it waits where there was none
 * @param turn does what there is, and says whether there may be more; `signal` tells it that the loop is to end
 */
export function startWorkerLoop(idleMs: number, turn: (signal: AbortSignal) => Promise<boolean>): WorkerLoop {
  const stopping = new AbortController();
  let wake = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const isBusy = await turn(stopping.signal);
      if (isBusy || stopping.signal.aborted) continue;
      // A poke in the middle of the turn ends this at once.
      await sleep(idleMs, undefined, { signal: wake.signal }).catch(() => undefined);
      wake = new AbortController();
    }
  })();
  return {
    poke: () => wake.abort(),
    stop: async () => {
      stopping.abort();
      wake.abort();
      await loop;
    },
  };
}
