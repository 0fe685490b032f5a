import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { stateRoot } from '@karaar/dev/roots';

/** One line of the table: a figure, and what it has to hold. */
export type Row = {
  what: string;
  value: number;
  unit: string;
  /** What the figure must reach or must not exceed; none for a figure that is only told. */
  budget?: { atLeast: number } | { atMost: number };
  note?: string;
};

export type Report = {
  /** `.karaar/bench/<name>.json`. */
  name: string;
  rows: readonly Row[];
  /** Everything that was measured, for a later look. */
  data?: unknown;
};

export type Verdict = 'pass' | 'fail' | '';

/** A figure that could not be measured (NaN) holds nothing. */
export function verdict({ value, budget }: Row): Verdict {
  if (budget === undefined) return '';
  const holds = 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost;
  return holds ? 'pass' : 'fail';
}

/**
 * Writes the result file, prints the table with each budget beside its figure.
 * @returns the exit code: 1 when a budget is not held
 */
export function report({ name, rows, data }: Report, folder = join(stateRoot, 'bench')): number {
  const file = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  const results = rows.map((row) => ({ ...row, verdict: verdict(row) }));
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    loadAverage: loadavg(),
  };
  const at = new Date().toISOString();
  writeFileSync(file, `${JSON.stringify({ name, at, machine, rows: results, data }, null, 2)}\n`);
  console.log(
    `${name} on ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node}`,
  );
  console.log(table(rows));
  console.log(
    `Load of the machine at the end: ${machine.loadAverage[0]?.toFixed(1)} on ${machine.cores} cores`,
  );
  console.log(`Result: ${file}`);
  return results.some((row) => row.verdict === 'fail') ? 1 : 0;
}

/** The rows as aligned columns. */
export function table(rows: readonly Row[]): string {
  const head = ['what', 'figure', 'unit', 'budget', '', 'note'];
  const cells = rows.map((row) => [
    row.what,
    format(row.value),
    row.unit,
    budgetText(row),
    verdict(row),
    row.note ?? '',
  ]);
  const lines = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function budgetText({ budget }: Row): string {
  if (budget === undefined) return '';
  return 'atLeast' in budget ? `≥ ${format(budget.atLeast)}` : `≤ ${format(budget.atMost)}`;
}

function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-IN');
  return value.toFixed(Math.abs(value) >= 100 ? 1 : 2);
}
