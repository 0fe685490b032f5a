import { setTimeout as sleep } from 'node:timers/promises';

export type Worker = {
  /** Makes the worker look for work at once, or right after the running turn. */
  wake: () => void;
  /** Starts no further turn, aborts the running turn's signal, and waits until that turn has ended. */
  stop: () => Promise<void>;
};

export type WorkerOptions = {
  /**
   * One turn: does the due work. It returns true if there may be more, so that the next turn follows at once.
   * An error ends the turn but not the worker.
   * @param signal aborted once the worker is to stop
   */
  turn: (signal: AbortSignal) => Promise<unknown>;
  onError: (error: unknown) => void;
  restMs: number;
  /**
   * Maximum rest: consecutive failures double the rest up to this value. By default `restMs`, so that it
   * never doubles.
   */
  longestRestMs?: number;
  /**
   * Minimum milliseconds between the starts of two turns, so that work forms batches; ignored after a turn
   * that returned true. Called after each turn.
   */
  paceMs?: () => number;
  restsFirst?: boolean;
};

/** Starts a loop that runs one turn at a time until it is stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const { turn, onError, restMs, longestRestMs = restMs, paceMs = () => 0 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = createWake();
  let failures = 0;

  async function runTurn(): Promise<boolean> {
    try {
      const hasMore = (await turn(signal)) === true;
      failures = 0;
      return hasMore;
    } catch (error) {
      failures += 1;
      onError(error);
      return false;
    }
  }

  async function rest(): Promise<void> {
    await wake.within(restAfter(failures, restMs, longestRestMs));
  }

  async function loop(): Promise<void> {
    let began = Number.NEGATIVE_INFINITY;
    let hasMore = false;
    if (options.restsFirst) await rest();
    while (!signal.aborted) {
      const early = began + paceMs() - performance.now();
      if (early > 0 && !hasMore) await pause(early, signal);
      if (signal.aborted) return;
      began = performance.now();
      wake = createWake();
      hasMore = await runTurn();
      if (!hasMore && !signal.aborted) await rest();
    }
  }

  const running = loop();
  return {
    wake: () => wake.now(),
    stop: async () => {
      stopping.abort();
      wake.now();
      await running;
    },
  };
}

/** A rest that `now` ends, also if it is called before the rest begins. */
function createWake(): { now: () => void; within: (ms: number) => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    now: () => resolve(undefined),
    within: async (ms) => {
      // unref: this timer must not keep the process alive.
      const timer = setTimeout(() => resolve(undefined), ms).unref();
      await promise;
      clearTimeout(timer);
    },
  };
}

/** Returns the milliseconds to rest after this many consecutive failures. */
export const restAfter = (failures: number, restMs: number, longestRestMs: number): number =>
  Math.max(restMs, Math.min(restMs * 2 ** Math.max(0, failures - 1), longestRestMs));

/** Waits until the time has passed or the signal is aborted; does not keep the process alive. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
