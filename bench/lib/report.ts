import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { stateRoot } from '@karaar/testing/roots';
import { isSmoke } from './smoke.ts';

/** One line of the table: a figure and its budget. A figure without a budget is only reported. */
export type Row = {
  what: string;
  value: number;
  unit: string;
  atLeast?: number | undefined;
  atMost?: number | undefined;
  note?: string | undefined;
};

export const row = (
  what: string,
  value: number,
  unit = '',
  more: Pick<Row, 'atLeast' | 'atMost' | 'note'> = {},
): Row => ({ what, value, unit, ...more });

/** A count that must be 0. */
export const none = (what: string, count: number, note?: string): Row =>
  row(what, count, '', { atMost: 0, note });

/** Figures, and further measurements for the result file. */
export type Measured = { rows: readonly Row[]; data?: unknown };
/** The result is written to `.karaar/bench/<name>.json`. */
export type Report = Measured & { name: string };

/** Units of figures that depend on the sizes of a run: a smoke run judges counts and shares only. */
const OF_WHOLE_RUNS = ['ms', 's', '×', 'KB', 'MB', 'MiB', 'of 100', 'per hour'];

/** Returns the verdict of a row, empty without a budget. NaN fails each budget, and a smoke run always. */
export function verdict({ value, unit, atLeast, atMost }: Row): 'pass' | 'fail' | '' {
  if (isSmoke && !Number.isFinite(value)) return 'fail';
  const hasBudget = atLeast !== undefined || atMost !== undefined;
  if (!hasBudget || (isSmoke && OF_WHOLE_RUNS.includes(unit))) return '';
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) ? 'pass' : 'fail';
}

/** Prints the figures, and writes the result file of a whole run. @returns 1 when a budget is exceeded, without rows too */
export function report({ name, rows, data }: Report, folder = join(stateRoot, 'bench')): number {
  const results = rows.map((one) => ({ ...one, verdict: verdict(one) }));
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    loadAverage: loadavg(),
  };
  const { cores, cpu, memoryGiB, node } = machine;
  console.log(`${name} on ${cores} cores of ${cpu}, ${memoryGiB} GiB, Node ${node}`);
  console.log(table(rows));
  if (!isSmoke) {
    const file = join(folder, `${name}.json`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify({ name, at: new Date(), machine, rows: results, data }, null, 2)}\n`,
    );
    console.log(`Result: ${file}`);
  }
  return rows.length === 0 || results.some((one) => one.verdict === 'fail') ? 1 : 0;
}

export function table(rows: readonly Row[]): string {
  const lines = [
    ['what', 'figure', 'unit', 'budget', '', 'note'],
    ...rows.map((one) => [
      one.what,
      format(one.value),
      one.unit,
      budgetText(one),
      verdict(one),
      one.note ?? '',
    ]),
  ];
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column === 1 ? cell.padStart(width(column)) : cell.padEnd(width(column));
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

const budgetText = ({ atLeast, atMost }: Row): string =>
  atLeast !== undefined ? `≥ ${format(atLeast)}` : atMost !== undefined ? `≤ ${format(atMost)}` : '';

function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-IN');
  return value.toFixed(Math.abs(value) >= 100 ? 1 : 2);
}
