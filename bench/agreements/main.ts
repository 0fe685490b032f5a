/**
 * Random sequences of commands by random actors against the documents service, over HTTP, on a real PostgreSQL,
 * each compared command by command with a model written down apart from the service (design §3). A few processes,
 * each with a service and a database of its own, share the work. The first difference ends the run and is shown.
 */
import { fork } from 'node:child_process';
import { report } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import type { Part } from './part.ts';

const SEQUENCES = size('BENCH_SEQUENCES', 10_000, 20);
const PROCESSES = size('BENCH_PROCESSES', 3, 1);
const SEED = Number(process.env['BENCH_SEED'] ?? Date.now() & 0x7fffffff);

const started = Date.now();
const progress = new Map<number, number>();
let shown = 0;
function show(): void {
  const done = [...progress.values()].reduce((sum, value) => sum + value, 0);
  if (done < shown + 500) return;
  shown = done;
  console.log(`${done} of ${SEQUENCES} sequences, ${Math.round((Date.now() - started) / 1_000)} s`);
}

const parts = await Promise.all(
  Array.from({ length: PROCESSES }, (_, index) => {
    const count = Math.floor(SEQUENCES / PROCESSES) + (index < SEQUENCES % PROCESSES ? 1 : 0);
    const child = fork(new URL('./part.ts', import.meta.url), [String(count), String(SEED + index)]);
    return new Promise<Part>((resolve) => {
      let last: Part = { count: 0, commands: 0, effects: 0, difference: 'the process ended' };
      child.on('message', (message: number | Part) => {
        if (typeof message !== 'number') last = message;
        else {
          progress.set(index, message);
          show();
        }
      });
      child.once('exit', () => resolve(last));
    });
  }),
);

const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0);
const differences = parts.flatMap((part) => part.difference ?? []);
for (const difference of differences) console.error(difference);
process.exitCode = report({
  name: 'agreements',
  rows: [
    { what: 'sequences played', value: sum((part) => part.count), unit: '', budget: { atLeast: SEQUENCES } },
    { what: 'commands, each answer and state compared', value: sum((part) => part.commands), unit: '' },
    { what: 'of them with an effect', value: sum((part) => part.effects), unit: '', note: `seed ${SEED}` },
    { what: 'differences from the model', value: differences.length, unit: '', budget: { atMost: 0 } },
    { what: 'time', value: (Date.now() - started) / 1_000, unit: 's', note: `${PROCESSES} processes` },
  ],
  data: { seed: SEED, parts },
});
