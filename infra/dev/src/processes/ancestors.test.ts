import { launchers, type ProcessTable } from './ancestors.ts';

const table = (rows: Record<number, [parent: number, command: string]>): ProcessTable => ({
  parentOf: (pid) => rows[pid]?.[0],
  commandLine: (pid) => rows[pid]?.[1],
});

const rows: Record<number, [parent: number, command: string]> = {
  40: [30, 'node infra/dev/bootstrap.mjs start'],
  30: [20, 'sh -c node infra/dev/bootstrap.mjs start'],
  20: [10, 'npm start'],
  10: [1, '-bash'],
};

describe('launchers', () => {
  it('returns the processes up to npm, without the shell above it', () => {
    expect(launchers(40, true, table({ ...rows }))).toEqual([40, 30, 20]);
  });

  it('returns only the bootstrap when npm did not start it', () => {
    expect(launchers(40, false, table({ ...rows }))).toEqual([40]);
  });

  it('returns only the bootstrap when npm is not found', () => {
    expect(launchers(40, true, table({ ...rows, 20: [10, 'make'] }))).toEqual([40]);
  });
});
