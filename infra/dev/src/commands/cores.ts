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

/**
 * Projects that are tested one after the other, beside the others: a third of the time that the tests of all projects
 * take. Nx does not know how long a project takes: when it began the longest one last, cores were idle until its end.
 */
export const OWN_LANE = ['@karaar/service-documents', '@karaar/bench'];

/** Projects of which so many are tested at once. */
export type Lane = { projects: string[]; parallel: number };

/** Shares the projects out to lanes, which are tested at the same time. */
export function shareLanes(projects: readonly string[], atOnce: number): Lane[] {
  const own = projects.filter((name) => OWN_LANE.includes(name));
  const others = projects.filter((name) => !OWN_LANE.includes(name));
  if (atOnce < 2 || others.length === 0 || own.length === 0)
    return [{ projects: [...projects], parallel: atOnce }];
  return [
    { projects: own, parallel: 1 },
    { projects: others, parallel: atOnce - 1 },
  ];
}
