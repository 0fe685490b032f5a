/** People use the product while its parts are killed or its connections are cut; then the outcomes are compared. */
import { report } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { measureCuts } from './cuts/run-cuts.ts';
import { endOf } from './run.ts';
import { measureKills } from './killer.ts';

const MODES = {
  kills: (times = isSmoke ? 4 : 1_000) => measureKills(times, endOf()),
  cuts: (times = isSmoke ? 8 : 2_000) => measureCuts(times, endOf(900)),
};
const [mode = 'kills', times] = process.argv.slice(2);
if (!(mode in MODES) || (times !== undefined && !/^[1-9]\d*$/.test(times)))
  throw new Error('Usage: npm run bench -- faults [kills|cuts] [TIMES]');

const measure = MODES[mode as keyof typeof MODES];
const first = await measure(times === undefined ? undefined : Number(times));
const second = isSmoke ? await MODES.cuts() : { rows: [] };
const name = mode === 'kills' ? 'faults' : `faults-${mode}`;
process.exitCode = report({ name, rows: [...first.rows, ...second.rows], data: first.data });
