/**
 * `npm run bench -- restart [PART…]`: every process is replaced while requests come in at a fixed rate; none may fail.
 * `npm run bench -- restart rotate`: the keys of tokens, files and the seal are replaced meanwhile, by rolling restarts.
 * Nobody asks twice: a broken connection, a 5xx or a late answer counts. Pages with sockets are open meanwhile, and every
 * message that is written has to be before their eyes in the end, once.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../faults/people.ts';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { newcomer } from '../lib/newcomers.ts';
import { report } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { percentile } from '../lib/stats.ts';
import { Calls } from './calls.ts';
import { Chat } from './chatters.ts';
import { replicasOf, rolled, startCluster } from './cluster.ts';
import { rotate, type Rotated } from './rotation.ts';

const RATE = size('BENCH_RATE', 100, 20);
/** People who chat besides the demo's two, and the pages that each of them has open. */
const NEWCOMERS = isSmoke ? 1 : 4;
const PAGES_EACH = size('BENCH_PAGES', 10, 1);
/** One arrival of so many is a message. */
const MESSAGE_EVERY = 5;
/** Of the demo: whose calls are counted. */
const OWNER = '+919000000001';
const byDefault = isSmoke ? (['gateway', 'messaging', 'broker-admin'] as const) : rolled;
const wanted = process.argv.slice(2);
const rotates = wanted.includes('rotate');
const parts = wanted.length > 0 ? rolled.filter((name) => wanted.includes(name)) : byDefault;
if (parts.length + (rotates ? 1 : 0) !== (wanted.length || parts.length))
  throw new Error(
    `Usage: npm run bench -- restart [PART…]\n       npm run bench -- restart rotate\nParts: ${rolled.join(', ')}`,
  );

const keepAlive = setInterval(() => undefined, 60_000);
const stateDir = await mkdtemp(join(tmpdir(), 'karaar-restart-'));
const cluster = await startCluster(stateDir, {
  LOG_LEVEL: 'warn',
  DRAIN_WAIT_MS: isSmoke ? '1000' : '4000',
  DRAIN_MS: '20000',
  RATE_LIMIT_PER_MINUTE: '10000000',
  CONNECTIONS_PER_ADDRESS: '10000000',
  REQUESTS_PER_ADDRESS: '10000000',
  LONG_PER_ADDRESS: '10000000',
  RATE_LIMIT_SENSITIVE_PER_MINUTE: '1000000',
  INVITATIONS_PER_USER_AND_DAY: '1000000',
  RATE_LIMIT_HEAVY_PER_MINUTE: '1000000',
});

try {
  const person = await signIn(cluster.url, OWNER);
  const other = await signIn(cluster.url, '+919000000002');
  const people = [person, other];
  for (let i = 0; i < NEWCOMERS; i += 1)
    people.push(await newcomer(cluster.url, `Person ${i + 1}`, `+917100000${String(i).padStart(3, '0')}`));
  const chat = new Chat(cluster.url, people, PAGES_EACH);
  await chat.open();
  const downsBefore = chat.pages.reduce((all, { downs }) => all + downs, 0);
  let written = people.length;
  const calls = await Calls.begin(cluster.url, person);
  const send = async (index: number): Promise<void> =>
    index % MESSAGE_EVERY === 0 ? chat.write((written += 1)) : calls.nth(index);

  const began = Date.now();
  let rolling = true;
  let rotated: Rotated = { said: [], faults: [] };
  const roll = (async () => {
    await sleep(3_000);
    for (const name of parts) {
      console.log(`replacing ${name} (${((Date.now() - began) / 1_000).toFixed(0)} s)`);
      await cluster.roll(name);
    }
    if (rotates) rotated = await rotate(cluster, { before: person, other, phone: OWNER }, console.log);
    await sleep(2_000);
  })().finally(() => (rolling = false));
  roll.catch(() => undefined); // it is awaited below, when the requests are done
  const results: FixedRateResult[] = [];
  while (rolling)
    results.push(
      await fixedRate({ rate: RATE, durationMs: isSmoke ? 1_000 : 5_000, maxInFlight: 2_000, task: send }),
    );
  await roll;
  // What a page learns by its own questions it has learnt by now.
  await sleep(3_000);
  const told = chat.findings();
  const downs = chat.pages.reduce((all, { downs }) => all + downs, 0) - downsBefore;
  chat.close();
  await calls.close();

  const sum = (pick: (one: (typeof results)[number]) => number) =>
    results.reduce((all, one) => all + pick(one), 0);
  const faults = results.flatMap((one) => one.faults);
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`);
  const unclean = cluster.endings.filter((text) => !text.endsWith('code 0'));
  for (const fault of rotated.faults) console.log(`FAULT ${fault}`);
  for (const text of unclean) console.log(`ENDED ${text}`);
  process.exitCode = report({
    name: 'restart',
    rows: [
      {
        what: 'processes replaced',
        value: cluster.endings.length,
        unit: '',
        budget: { atLeast: rotates ? 1 : parts.reduce((all, name) => all + replicasOf(name), 0) },
      },
      { what: 'requests', value: sum((one) => one.offered), unit: '', note: `${RATE}/s` },
      { what: 'failed', value: sum((one) => one.failed), unit: '', budget: { atMost: 0 } },
      { what: 'dropped', value: sum((one) => one.dropped), unit: '', budget: { atMost: 0 } },
      { what: 'ended otherwise than in order', value: unclean.length, unit: '', budget: { atMost: 0 } },
      ...(rotates
        ? [{ what: 'faults of the rotation', value: rotated.faults.length, unit: '', budget: { atMost: 0 } }]
        : []),
      { what: 'pages with a socket', value: chat.pages.length, unit: '', note: `down ${downs} times in all` },
      {
        what: 'messages that a page should show',
        value: told.expected,
        unit: '',
        note: `${chat.sent.size} written; ${((100 * told.bySocket) / told.expected).toFixed(2)} % told by the socket, the others asked for`,
      },
      { what: 'messages lost', value: told.lost, unit: '', budget: { atMost: 0 } },
      { what: 'messages doubled', value: told.doubled, unit: '', budget: { atMost: 0 } },
      {
        what: 'a message shown after it was answered, at the latest',
        value: told.waitedMs.at(-1) ?? Number.NaN,
        unit: 'ms',
        note: `p99 ${percentile(told.waitedMs, 99).toFixed(0)} ms`,
      },
      {
        what: 'p99 of the slowest 5 s',
        value: Math.max(...results.map((one) => one.latency.p99)),
        unit: 'ms',
      },
    ],
    data: {
      perStatus: Object.fromEntries(calls.perStatus),
      rotated,
      faults,
      endings: cluster.endings,
      results,
    },
  });
} finally {
  await cluster.stop();
  clearInterval(keepAlive);
}
