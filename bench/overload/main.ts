/**
 * `npm run bench -- overload`: the whole product, asked for twice of what it can answer. First the peak is found by a
 * staircase of rates, then twice the peak comes in for a while at a fixed rate, then half of it again.
 */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '@karaar/dev/product';
import { processSpecs } from '@karaar/dev/processes/services';
import { cpuMs } from '../lib/process.ts';
import { percentile } from '../lib/stats.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { gatherCrowd } from './crowd.ts';
import { mixOf } from './mix.ts';
import { forkOnLastCore, leaveLastCore, where } from './pinned.ts';
import type { Order, RunResult } from './protocol.ts';

const SECONDS = size('BENCH_SECONDS', 25, 1);
const STEP_MS = size('BENCH_STEP_MS', 4_000, 1_000);
/** The staircase: its first rate, how much higher each step is, and what counts as one too many. */
const FIRST_RATE = isSmoke ? 20 : 150;
const STEP = 1.25;
const BEHIND = 0.85;
const MOST_STEPS = isSmoke ? 2 : Infinity;
const AFTER_MS = isSmoke ? 1_000 : 6_000;
const ROOM = '100000000';

leaveLastCore();
const keepAlive = setInterval(() => undefined, 60_000);
const product = await startProduct({
  stateDir: await mkdtemp(join(tmpdir(), 'karaar-overload-')),
  quiet: true,
  web: false,
  env: {
    // Nobody reads them here; the product writes them at what it would in production.
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: ROOM,
    CONNECTIONS_PER_ADDRESS: ROOM,
    REQUESTS_PER_ADDRESS: ROOM,
    LONG_PER_ADDRESS: ROOM,
    RATE_LIMIT_SENSITIVE_PER_MINUTE: ROOM,
    INVITATIONS_PER_USER_AND_DAY: ROOM,
    QUEUE_TARGET_MS: process.env['BENCH_TARGET_MS'],
  },
});
const sender = await forkOnLastCore(new URL('./sender.ts', import.meta.url));
sender.on('exit', (code) => {
  if (code !== null) throw new Error(`The sender ended with ${code}`);
});
const order = (what: Order) => sender.send(what);
const run = async (rate: number, durationMs: number): Promise<RunResult> => {
  order({ kind: 'run', rate, durationMs });
  const [result] = (await once(sender, 'message')) as [RunResult];
  return result;
};
const goodput = ({ answered, seconds }: RunResult) => answered / seconds;

/** Milliseconds of a core that each process has used. */
const cpuOf = (): Record<string, number> =>
  Object.fromEntries(
    processSpecs.map(({ name }) => {
      const { pid } = product.process(name);
      return [name, cpuMs(pid)];
    }),
  );

function line(rate: number, result: RunResult): void {
  const { answered, refused, failed, answeredMs } = result;
  const p99 = percentile(answeredMs, 99).toFixed(0);
  console.log(
    `${rate.toFixed(0)}/s offered: ${goodput(result).toFixed(0)}/s answered, p50 ${percentile(answeredMs, 50).toFixed(0)}, p99 ${p99} ms; ` +
      `${answered} answered, ${refused} refused, ${failed} failed`,
  );
}

try {
  const crowd = await gatherCrowd(product);
  order({ kind: 'mix', port: Number(new URL(product.url).port), kinds: mixOf(crowd) });
  console.log(where);
  line(FIRST_RATE, await run(FIRST_RATE, isSmoke ? STEP_MS : 5_000));

  const steps: { rate: number; result: RunResult }[] = [];
  for (let rate = FIRST_RATE, behind = 0; behind < 2 && steps.length < MOST_STEPS; rate *= STEP) {
    const result = await run(rate, STEP_MS);
    line(rate, result);
    steps.push({ rate, result });
    if (goodput(result) < rate * BEHIND) behind += 1;
  }
  const peak = Math.max(...steps.map(({ result }) => goodput(result)));

  await sleep(2_000);
  const before = cpuOf();
  const over = await run(peak * 2, SECONDS * 1_000);
  const used = Object.entries(cpuOf()).map(([name, ms]) => {
    return `${name} ${((ms - (before[name] ?? 0)) / over.seconds / 10).toFixed(0)} %`;
  });
  line(peak * 2, over);
  const after = await run(peak / 2, 2_000);
  line(peak / 2, after);
  const later = await run(peak / 2, AFTER_MS);
  line(peak / 2, later);

  const part = ({ answered, offered }: { answered: number; offered: number }) => (100 * answered) / offered;
  const everything = [...steps.map(({ result }) => result), over, after, later];
  const sum = (pick: (one: RunResult) => number) => everything.reduce((all, one) => all + pick(one), 0);
  const { vital, usual, patient } = over.byUrgency;
  const rows: Row[] = [
    {
      what: 'peak',
      value: peak,
      unit: 'answers/s',
      note: `${where}; a mix of ${crowd.people.length} people`,
    },
    {
      what: 'offered at 2×',
      value: over.offered / over.seconds,
      unit: '/s',
      note: `for ${over.seconds} s; of a core: ${used.join(', ')}`,
    },
    { what: 'goodput at 2× ÷ peak', value: goodput(over) / peak, unit: '×', budget: { atLeast: 0.9 } },
    {
      what: 'answered: p99',
      value: percentile(over.answeredMs, 99),
      unit: 'ms',
      budget: { atMost: 500 },
      note: `p50 ${percentile(over.answeredMs, 50).toFixed(0)} ms, from when each was due`,
    },
    // A smoke offers too little for refusals.
    ...(isSmoke
      ? []
      : [
          {
            what: 'refused: p99',
            value: percentile(over.refusedMs, 99),
            unit: 'ms',
            budget: { atMost: 100 },
            note: `p50 ${percentile(over.refusedMs, 50).toFixed(1)} ms of ${over.refused}`,
          },
        ]),
    {
      what: 'refused without Retry-After',
      value: sum((one) => one.refusedWithoutTime),
      unit: '',
      budget: { atMost: 0 },
    },
    {
      what: 'neither answered nor refused',
      value: sum((one) => one.failed + one.dropped),
      unit: '',
      budget: { atMost: 0 },
      note: JSON.stringify(over.faults),
    },
    { what: 'payments answered', value: part(vital), unit: '%', budget: { atLeast: 99 } },
    { what: 'single reads and changes answered', value: part(usual), unit: '%' },
    { what: 'lists answered', value: part(patient), unit: '%' },
    {
      what: 'two seconds later, at half the peak: refused',
      value: (100 * later.refused) / later.offered,
      unit: '%',
      budget: { atMost: 0.1 },
      note: `p99 ${percentile(later.answeredMs, 99).toFixed(0)} ms; in the first two seconds ${after.refused} of ${after.offered}`,
    },
    {
      what: 'sender: late, p99',
      value: percentile(over.lateMs, 99),
      unit: 'ms',
      note: `it used ${(100 * over.senderCpu).toFixed(0)} % of a core`,
    },
  ];
  const brief = (result: RunResult) => ({
    ...result,
    answeredMs: undefined,
    refusedMs: undefined,
    lateMs: undefined,
  });
  process.exitCode = report({
    name: 'overload',
    rows,
    data: {
      steps: steps.map(({ rate, result }) => ({ rate, ...brief(result) })),
      over: brief(over),
      later: brief(later),
    },
  });
} finally {
  sender.removeAllListeners('exit');
  sender.kill();
  await product.stop({ remove: true });
  clearInterval(keepAlive);
}
