/**
 * The admins' lists over 1,000,000 documents, payments, users and acts: pages, each filter, sort and search, counts and
 * totals, over HTTP at a fixed arrival rate (p95 < 100 ms); and what the export of all of it holds in memory.
 *
 *   --keep              leaves the seeded databases for the next run (.karaar/bench/admin-lists.state)
 *   --seed              seeds and ends
 *   --only documents    documents, payments or accounts
 *   --part lists        lists or exports; both unless given
 */
import { parseArgs } from 'node:util';
import { report, type Row } from '../lib/report.ts';
import { benchBacking } from './kept.ts';
import { groups } from './lists.ts';
import { measureExport, measureList, RATE, ROWS } from './measure.ts';

const { values } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    seed: { type: 'boolean', default: false },
    only: { type: 'string' },
    part: { type: 'string' },
  },
});
const rows: Row[] = [];
const backing = await benchBacking(values.keep || values.seed);
try {
  for (const [name, start] of Object.entries(groups)) {
    if (values.only && values.only !== name) continue;
    console.log(`${name}: ${ROWS} each`);
    const { lists, stop } = await start(backing);
    try {
      for (const list of values.seed ? [] : lists) {
        if (values.part !== 'exports') rows.push(...(await measureList(list)));
        if (values.part !== 'lists') rows.push(...(await measureExport(list)));
      }
    } finally {
      await stop();
    }
  }
} finally {
  await backing.stop();
}
if (!values.seed)
  process.exitCode = report({ name: 'admin-lists', rows, data: { rows: ROWS, rate: RATE, ...values } });
