import { isClosing } from '@karaar/testing/processes/child';
import type { Part } from '@karaar/testing/processes/part';

/** A program that ran this long has recovered: its next end is a new fault. */
const recoveredMs = 30_000;

/**
 * Starts a part again whenever it ends by itself, at once the first time and after longer and longer
 * pauses when it keeps ending. Says so in one line each time.
 *
 * @returns a function that ends the supervision, before the program is stopped on purpose
 * @param longestPauseMs where the pauses stop growing; a run that kills on purpose keeps them short
 */
export function supervise(part: Part, log: (line: string) => void, longestPauseMs = 10_000): () => void {
  let watching = true;
  const firstPauseMs = Math.min(200, longestPauseMs);
  const watch = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    let startedAt = Date.now();
    for (;;) {
      const { text } = await part.exited();
      if (!watching || isClosing()) return;
      if (Date.now() - startedAt > recoveredMs) pauseMs = firstPauseMs;
      log(`${part.name} ${text}; starting it again`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      if (!watching || isClosing()) return;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      startedAt = Date.now();
      try {
        await part.restart();
        log(`${part.name} is ready again`);
      } catch (error) {
        log(error instanceof Error ? error.message : String(error));
      }
    }
  };
  void watch();
  return () => {
    watching = false;
  };
}
