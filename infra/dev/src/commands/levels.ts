/**
 * Levels of tests, by the end of a file's name: `unit` starts no server, browser or program; `int` runs with real servers
 * and programs; `e2e` is a journey through the product; `slow` is a drill that takes more than 20 seconds.
 */
export type Level = 'unit' | 'int' | 'e2e' | 'slow';

/** @returns undefined for a file that is not a test */
export function levelOf(path: string): Level | undefined {
  if (/\.int\.test\.tsx?$/.test(path)) return 'int';
  if (/\.test\.tsx?$/.test(path)) return 'unit';
  return /\.(e2e|slow)\.ts$/.exec(path)?.[1] as Level | undefined;
}

/** A part of a run: the files of one level, or those of them whose path contains `within`. */
export interface Stage {
  level: Level;
  within?: string;
}

export type TestCommand = 'test' | 'test-unit' | 'test-all';

/** The stages of each test command. The journeys of the main jobs are in one folder. */
export const stages: Record<TestCommand, readonly Stage[]> = {
  test: [{ level: 'unit' }, { level: 'int' }, { level: 'e2e', within: 'e2e/main/' }],
  'test-unit': [{ level: 'unit' }],
  'test-all': [{ level: 'unit' }, { level: 'int' }, { level: 'e2e' }, { level: 'slow' }],
};

/**
 * How many files run at once. Unit tests compute. Tests with servers wait about half of their time, so that two or three
 * cores take half as many again. A browser and the product share the cores with each journey; more than four
 * journeys at once share one product badly.
 */
export function workersFor(level: Level, cores: number): number {
  if (level === 'unit') return cores;
  if (level === 'int') return cores === 2 || cores === 3 ? Math.floor(cores * 1.5) : cores;
  return Math.min(4, Math.ceil(cores * 0.75));
}
