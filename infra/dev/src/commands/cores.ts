/** How many projects are tested at once, and with how many workers each. */
export type Share = { projects: number; workers: number };

/**
 * Shares the cores out: workers × projects is what there is and not more, so that no test waits for its turn instead of for
 * what it tests. Two projects at once where there are two cores, since each begins and ends with a time on one; what is
 * left goes to their workers.
 */
export function shareCores(cores: number): Share {
  const projects = Math.min(2, cores);
  return { projects, workers: Math.max(1, Math.floor(cores / projects)) };
}
