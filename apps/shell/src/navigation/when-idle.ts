/**
 * Runs a background action when the browser is idle, after `timeout` milliseconds at the latest. Safari does
 * not report when it is idle: there the action runs after the present task.
 * @returns a function that cancels it
 */
export function whenIdle(act: () => void, timeout: number): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(act);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(act, { timeout });
  return () => cancelIdleCallback(idle);
}
