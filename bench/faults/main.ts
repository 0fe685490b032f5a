/**
 * `npm run bench -- faults [kills|all|cuts] [TIMES]`: people use the product while it is harmed; then everything is counted.
 * `kills`: 1,000 random SIGKILLs of wallet, payments, broker and database; `all`: of every part; `cuts`: 2,000 connections
 * are cut, a third of them after a COMMIT and before its answer. A run judges its results so far when it is told to end
 * (SIGTERM, SIGINT) or after `BENCH_SECONDS`.
 */
import { report } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { measureCuts } from './cuts/run-cuts.ts';
import { endingOf } from './run.ts';
import { measureKills } from './killer.ts';

const MODES = {
  kills: (times = isSmoke ? 4 : 1_000) => measureKills('money', times, endingOf()),
  all: (times = isSmoke ? 4 : 1_000) => measureKills('all', times, endingOf()),
  cuts: (times = isSmoke ? 8 : 2_000) => measureCuts(times, endingOf(900)),
};
const [mode = 'kills', times] = process.argv.slice(2);
if (!(mode in MODES) || (times !== undefined && !/^[1-9]\d*$/.test(times)))
  throw new Error('Usage: npm run bench -- faults [kills|all|cuts] [TIMES]');

const measure = MODES[mode as keyof typeof MODES];
const first = await measure(times === undefined ? undefined : Number(times));
const second = isSmoke ? await MODES.cuts() : { rows: [], data: {} };
const name = mode === 'kills' ? 'faults' : `faults-${mode}`;
process.exitCode = report({ name, rows: [...first.rows, ...second.rows], data: first.data });
