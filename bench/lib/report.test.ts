import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { inTurns, ratioOf } from './peers.ts';
import { mainThreadMs } from './process.ts';
import { report, table, verdict } from './report.ts';

describe('report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'karaar-report-'));
  const said: string[] = [];
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => void said.push(String(line)));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes the file, prints the table and fails when a budget is exceeded', () => {
    const held = { what: 'ratio', value: 1.3, unit: '×', atLeast: 1.25 };
    const missed = { what: 'p99', value: 51, unit: 'ms', atMost: 50 };
    expect(report({ name: 'one', rows: [held] }, folder)).toBe(0);
    expect(report({ name: 'two', rows: [held, missed], data: [1, 2] }, folder)).toBe(1);
    const written = JSON.parse(readFileSync(join(folder, 'two.json'), 'utf8')) as {
      rows: { verdict: string }[];
      machine: { cores: number };
      data: unknown;
    };
    expect(written.rows.map((row) => row.verdict)).toEqual(['pass', 'fail']);
    expect(written.machine.cores).toBeGreaterThan(0);
    expect(written.data).toEqual([1, 2]);
    expect(said).toContainEqual(expect.stringMatching(/^two on \d+ cores of /));
    expect(said.join('\n')).toMatch(/ratio +1\.30 +× +≥ 1\.25 +pass\n.*p99 +51 +ms +≤ 50 +fail/);
  });

  it('fails the budget of a figure that could not be measured', () => {
    expect(verdict({ what: 'x', value: Number.NaN, unit: '', atMost: 5 })).toBe('fail');
    expect(verdict({ what: 'x', value: 5, unit: '', atMost: 5 })).toBe('pass');
    expect(verdict({ what: 'x', value: 5, unit: '' })).toBe('');
  });

  it('aligns its columns', () => {
    const lines = table([
      { what: 'a', value: 123_456, unit: 'x/s' },
      { what: 'longer', value: 0.5, unit: '×', atLeast: 0.25, note: 'n' },
    ]).split('\n');
    expect(lines[1]).toBe('a       1,23,456  x/s');
    expect(lines[2]).toBe('longer      0.50  ×     ≥ 0.25  pass  n');
  });
});

describe('inTurns', () => {
  it('measures all peers in each round, in alternating order', async () => {
    const order: string[] = [];
    const peer = (name: string) => ({
      name,
      measure: async () => {
        order.push(name);
        return order.length;
      },
    });
    const results = await inTurns([peer('a'), peer('b')], 3);
    expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(results.get('a')).toEqual([1, 4, 5]);
    expect(results.get('b')).toEqual([2, 3, 6]);
  });
});

describe('ratioOf', () => {
  it('compares the figures of the same round', () => {
    expect(ratioOf([100, 10, 110], [200, 20, 200])).toBe(0.5);
  });
});

describe('mainThreadMs', () => {
  it('grows with the work of a process', () => {
    if (process.platform !== 'linux') {
      expect(mainThreadMs(process.pid)).toBeNaN();
      return;
    }
    const before = mainThreadMs(process.pid);
    for (const end = performance.now() + 300; performance.now() < end;);
    expect(mainThreadMs(process.pid) - before).toBeGreaterThan(20);
    expect(mainThreadMs(0)).toBeNaN();
  });
});
