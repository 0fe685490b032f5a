import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { stateRoot } from '@karaar/testing/roots';
import { isSmoke } from './smoke.ts';

/** One line of the table: a figure, and what it has to hold. */
export type Row = {
  what: string;
  value: number;
  unit: string;
  /** The budget; a figure without one is only printed. */
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

export type Report = {
  /** `.karaar/bench/<name>.json`. */
  name: string;
  rows: readonly Row[];
  /** Everything that was measured, for a later look. */
  data?: unknown;
};

export type Verdict = 'pass' | 'fail' | '';

/** Units of figures that depend on the sizes of a run: a smoke judges counts and shares only. */
const OF_WHOLE_RUNS = ['ms', 's', '×', 'KB', 'MB', 'MiB', 'of 100'];

/** A figure that could not be measured (NaN) holds nothing, and fails a smoke. */
export function verdict({ value, unit, atLeast, atMost }: Row): Verdict {
  if (isSmoke && !Number.isFinite(value)) return 'fail';
  const hasBudget = atLeast !== undefined || atMost !== undefined;
  if (!hasBudget || (isSmoke && OF_WHOLE_RUNS.includes(unit))) return '';
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) ? 'pass' : 'fail';
}

/**
 * Prints the table with each budget beside its figure, and writes the result file unless this is a smoke.
 * @returns the exit code: 1 when a budget is not held or nothing was measured
 */
export function report({ name, rows, data }: Report, folder = join(stateRoot, 'bench')): number {
  const results = rows.map((row) => ({ ...row, verdict: verdict(row) }));
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    loadAverage: loadavg(),
  };
  console.log(
    `${name} on ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node}`,
  );
  console.log(table(rows));
  console.log(
    `Load of the machine at the end: ${machine.loadAverage[0]?.toFixed(1)} on ${machine.cores} cores`,
  );
  if (isSmoke) {
    console.log('A smoke: budgets of time, memory and ratios are not judged');
  } else {
    const file = join(folder, `${name}.json`);
    const at = new Date().toISOString();
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify({ name, at, machine, rows: results, data }, null, 2)}\n`);
    console.log(`Result: ${file}`);
  }
  return rows.length === 0 || results.some((row) => row.verdict === 'fail') ? 1 : 0;
}

/** The rows as aligned columns. */
export function table(rows: readonly Row[]): string {
  const head = ['what', 'figure', 'unit', 'budget', '', 'note'];
  const lines = [
    head,
    ...rows.map((row) => [
      row.what,
      format(row.value),
      row.unit,
      budgetText(row),
      verdict(row),
      row.note ?? '',
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

const budgetText = ({ atLeast, atMost }: Row): string =>
  atLeast !== undefined ? `≥ ${format(atLeast)}` : atMost !== undefined ? `≤ ${format(atMost)}` : '';

function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-IN');
  return value.toFixed(Math.abs(value) >= 100 ? 1 : 2);
}
