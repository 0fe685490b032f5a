/** Something that people do again and again until the run is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from '../people.ts';
import type { Told } from '../told.ts';

const AFTER_WRONG_MS = 500;

/** Repeats `task`; what it throws is a wrong answer of the product, which is kept, and the work goes on. */
export async function repeat(
  told: Told,
  isOver: () => boolean,
  task: (round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    try {
      await task(round);
    } catch (error) {
      // Patience that ended with the run tells nothing of the product.
      if (error instanceof NoAnswer && isOver()) return;
      told.wrong.push(error instanceof Error ? error.message : String(error));
      await sleep(AFTER_WRONG_MS);
    }
  }
}
