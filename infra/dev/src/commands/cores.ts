/** How many projects are tested at once, and with how many workers each. */
export type Share = { projects: number; workers: number };

/**
 * Shares the cores out. Tests of services wait for servers, timers and other processes about half of their time, so there are
 * half as many workers again as cores where there are two or three: one project that waits leaves its core to another.
 * On more cores there is one worker for each core, in two projects.
 */
export function shareCores(cores: number): Share {
  if (cores === 2 || cores === 3) return { projects: Math.floor(cores * 1.5), workers: 1 };
  const projects = Math.min(2, cores);
  return { projects, workers: Math.max(1, Math.floor(cores / projects)) };
}
