const remindMs = 15_000;

/**
 * Runs one step of the set-up and reports it: a line at the beginning, one periodically, and one with its
 * duration at the end. Plain lines, so that a CI log reads like a terminal.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const began = Date.now();
  say(`  ..  ${title}`);
  const reminder = setInterval(() => say(`  ..  ${title} (${seconds(began)} so far)`), remindMs);
  try {
    const result = await work();
    say(`  ok  ${title} (${seconds(began)})`);
    return result;
  } catch (error) {
    say(`  !!  ${title} failed (${seconds(began)})`);
    throw error;
  } finally {
    clearInterval(reminder);
  }
}

/** Prints one line to the terminal. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** An error that the user can correct: shown without a stack. */
export class SetupError extends Error {}

/** Returns the elapsed time, as `7.3 s`. */
export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
