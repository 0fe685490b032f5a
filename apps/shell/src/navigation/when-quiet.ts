import type { QueryClient } from '@tanstack/react-query';
import { whenIdle } from './when-idle.ts';

/** Milliseconds between two checks whether requests are pending. */
const LOOK_MS = 500;
/** Milliseconds after which the action runs even on a page that is never idle. */
const PATIENCE_MS = 4_000;

/**
 * Runs a background action once the page has its responses and is idle.
 * @returns a function that cancels it
 */
export function whenQuiet(queries: QueryClient, act: () => void): () => void {
  const latest = performance.now() + PATIENCE_MS;
  let cancel: () => void;
  const look = () => {
    const timer = setTimeout(() => {
      const left = latest - performance.now();
      if (queries.isFetching() > 0 && left > 0) look();
      else cancel = whenIdle(act, Math.max(left, LOOK_MS));
    }, LOOK_MS);
    cancel = () => clearTimeout(timer);
  };
  look();
  return () => cancel();
}
