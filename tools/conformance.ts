/**
 * `npm run conformance`: which rows of the specification no test names.
 *
 * The rows are `docs/conformance.tsv`, a copy of `../shared/conformance.tsv`; when that file is there and
 * differs, this says so. A test names a row by its id in brackets in its title: `[DOC-014]`. The command
 * informs; it exits 1 only for an id that no row has, since such a title proves nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRows, rowsNamedIn, summarize } from './conformance-rows.ts';

const root = join(import.meta.dirname, '..');
const copy = join(root, 'docs/conformance.tsv');
const source = join(root, '../shared/conformance.tsv');

const text = readFileSync(copy, 'utf8');
if (existsSync(source) && readFileSync(source, 'utf8') !== text) {
  console.log('docs/conformance.tsv differs from ../shared/conformance.tsv: copy it again.\n');
}
const rows = parseRows(text);
const tests = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const named = new Set(tests.flatMap((file) => rowsNamedIn(readFileSync(join(root, file), 'utf8'))));

const { missing, unknown, areas } = summarize(rows, named);
for (const row of missing) console.log(`${row.id}\t${row.via}\t${row.statement}`);
console.log('');
for (const area of areas)
  console.log(`${area.name.padEnd(8)} ${String(area.named).padStart(4)} of ${area.total}`);
console.log(`\n${rows.length - missing.length} of ${rows.length} rows are named by a test.`);
if (unknown.length > 0) {
  console.log(`Titles name rows that do not exist: ${unknown.join(', ')}`);
  process.exitCode = 1;
}
