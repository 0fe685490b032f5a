import type { QueryClient } from '@tanstack/react-query';

/** Milliseconds between two looks whether the page has what it asked for. */
const LOOK_MS = 500;
/** Milliseconds after which it is done also on a page that never rests. */
const PATIENCE_MS = 4_000;

/**
 * Does something that nothing on the page waits for: once the page has its answers and nothing better to do.
 * @returns how to call it off
 */
export function whenQuiet(queries: QueryClient, act: () => void): () => void {
  const latest = performance.now() + PATIENCE_MS;
  let timer: ReturnType<typeof setTimeout>;
  let idle: number | undefined;
  const look = () => {
    timer = setTimeout(() => {
      const left = latest - performance.now();
      if (queries.isFetching() > 0 && left > 0) look();
      else idle = requestIdleCallback(act, { timeout: Math.max(left, LOOK_MS) });
    }, LOOK_MS);
  };
  look();
  return () => {
    clearTimeout(timer);
    if (idle !== undefined) cancelIdleCallback(idle);
  };
}
