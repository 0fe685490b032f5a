import { RenderError } from '../errors.ts';

/**
 * Returns a signal that fires at the deadline or with `outer`, with a RenderError as its reason. Call `done`
 * after the work, or the timer keeps running.
 */
export function deadline(
  ms: number,
  operation: string,
  outer?: AbortSignal,
): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new RenderError('timeout', `${operation} took longer than ${Math.round(ms / 1000)} s.`));
  }, ms);
  const onOuter = (): void => controller.abort(asRenderError(outer?.reason));
  if (outer?.aborted) onOuter();
  else outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    done: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}

/** Returns the reason of a signal as an error to throw. */
export function asRenderError(reason: unknown): RenderError {
  return reason instanceof RenderError
    ? reason
    : new RenderError('aborted', 'The work was stopped.', { cause: reason });
}

/**
 * Settles with `work`, or rejects with the reason of the signal as soon as it fires. The work itself goes on.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(asRenderError(signal.reason));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Returns a limit for `width` concurrent tasks; other tasks wait in order, and leave the queue on abort. Not
 * p-queue, which frees the place of an aborted task although it may still run.
 */
export function createConcurrencyLimit(
  width: number,
): <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  let free = width;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (task, signal) => {
    if (signal.aborted) throw asRenderError(signal.reason);
    if (free > 0) free -= 1;
    else await enter(waiting, signal);
    try {
      return await task();
    } finally {
      release();
    }
  };
}

function enter(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const onTurn = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      waiting.splice(waiting.indexOf(onTurn), 1);
      reject(asRenderError(signal.reason));
    };
    waiting.push(onTurn);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
