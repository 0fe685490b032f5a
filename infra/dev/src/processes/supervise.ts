import { isClosing } from '@karaar/testing/processes/child';
import type { Part } from '@karaar/testing/processes/part';

/** After this time a program counts as recovered, and its pauses are short again. */
const recoveredMs = 30_000;

/** Restarts a part whenever it ends by itself, after growing pauses. Returns a function that ends this. */
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
