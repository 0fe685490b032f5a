import { useEffect, useEffectEvent, useState } from 'react';

/** Seconds from "steady" to the photo: enough to look into the camera. */
export const COUNTDOWN_SECONDS = 3;

/**
 * Counts down while `running` and calls `onEnd` at the end; restarts with each run.
 * @returns the remaining seconds, or null while it does not run
 */
export function useCountdown(running: boolean, onEnd: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    setLeft(running ? COUNTDOWN_SECONDS : null);
    if (!running) return;
    const timer = setInterval(() => setLeft((now) => (now === null ? null : now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (left === 0) end();
  }, [left]);
  return left;
}
