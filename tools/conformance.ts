/**
 * `npm run conformance`: lists the tests that prove each row of `docs/conformance.tsv`, with their levels. A
 * test names a row by its id in its title: `[DOC-014]`. Exits 1 if a row has no test at one of its levels.
 *
 * npm run conformance -- DOC-014 WALLET     these rows and areas only
 */
import { judgeRepository } from './conformance-rows.ts';

const wanted = process.argv.slice(2);
const { rows, faults } = judgeRepository();

const shown = rows.filter(
  ({ id, area }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(area),
);
for (const { id, needs, proofs } of shown) {
  const [first = 'no test', ...others] = proofs
    .toSorted((a, b) => Number(needs.includes(b.level)) - Number(needs.includes(a.level)))
    .map(({ level, path, line }) => `${level.padEnd(10)} ${path}:${line}`);
  console.log(`${id.padEnd(12)} ${first}`);
  for (const other of others) console.log(`${''.padEnd(12)} ${other}`);
}

console.log('');
for (const area of [...new Set(rows.map((row) => row.area))].sort()) {
  const ofArea = rows.filter((row) => row.area === area);
  const proved = ofArea.filter((row) => row.lacks.length === 0).length;
  console.log(`${area.padEnd(8)} ${String(proved).padStart(4)} of ${ofArea.length}`);
}
const lacking = rows.filter((row) => row.lacks.length > 0);
console.log(`\n${rows.length - lacking.length} of ${rows.length} rows are proved at their level.`);
for (const { id, lacks, statement } of lacking)
  console.log(`${id} lacks a test at the level ${lacks.join(' and ')}: ${statement}`);
for (const fault of faults) console.log(fault);
if (lacking.length + faults.length > 0) process.exitCode = 1;
