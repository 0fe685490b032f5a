/**
 * Test levels by the end of the file's name: `unit` starts no server, browser or program; `int` uses real
 * servers and programs; `e2e` is a journey through the product; `slow` takes more than 20 seconds.
 */
export type Level = 'unit' | 'int' | 'e2e' | 'slow';

export function levelOf(path: string): Level | undefined {
  if (/\.int\.test\.tsx?$/.test(path)) return 'int';
  if (/\.test\.tsx?$/.test(path)) return 'unit';
  return /\.(e2e|slow)\.ts$/.exec(path)?.[1] as Level | undefined;
}

/** The test files of one level, or those of them whose path contains `within`. */
export interface Stage {
  level: Level;
  within?: string;
  /** The browser of journeys; Chromium if absent. */
  browser?: 'firefox' | undefined;
}

export type TestCommand = 'test' | 'test-unit' | 'test-all';

export const stages: Record<TestCommand, readonly Stage[]> = {
  test: [{ level: 'unit' }, { level: 'int' }, { level: 'e2e', within: 'e2e/main/' }],
  'test-unit': [{ level: 'unit' }],
  'test-all': [
    { level: 'unit' },
    { level: 'int' },
    { level: 'e2e' },
    { level: 'e2e', within: 'e2e/main/(capture|chat|main-job|read-then|sign-in)', browser: 'firefox' },
    { level: 'slow' },
  ],
};

/** Tests with servers wait half of their time; journeys share the cores with a browser and the product. */
export function workersFor(level: Level, cores: number): number {
  if (level === 'unit') return cores;
  if (level === 'int') return cores === 2 || cores === 3 ? Math.floor(cores * 1.5) : cores;
  return Math.min(4, Math.ceil(cores * 0.75));
}
