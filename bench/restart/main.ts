/**
 * Replaces every process, or with `rotate` the keys, while requests arrive at a fixed rate. No call is repeated: a broken
 * connection, a 5xx or a late answer counts as failed. Every open page must show each message to it once in the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { DEMO, newcomers, signIn } from '../lib/people.ts';
import { unlimited } from '../lib/product.ts';
import { none, report, row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { scratch } from '@karaar/testing/scratch';
import { Calls } from '@karaar/testing/people/calls';
import { findingsOf, openChat } from './chatters.ts';
import { replicasOf, rolled, startCluster, type Cluster } from './cluster.ts';
import { rotate } from './rotation.ts';

const RATE = size('BENCH_RATE', 100, 20);
/** Users besides the demo's two, and the open pages of each user. */
const NEWCOMERS = isSmoke ? 1 : 4;
const PAGES_EACH = size('BENCH_PAGES', 10, 1);
/** One request of so many is a message. */
const MESSAGE_EVERY = 5;
const byDefault = isSmoke ? (['gateway', 'messaging', 'broker-admin'] as const) : rolled;
const wanted = process.argv.slice(2);
const rotates = wanted.includes('rotate');
const parts = wanted.length > 0 ? rolled.filter((name) => wanted.includes(name)) : byDefault;
if (parts.length + (rotates ? 1 : 0) !== (wanted.length || parts.length))
  throw new Error(
    `Usage: npm run bench -- restart [PART…]\n       npm run bench -- restart rotate\nParts: ${rolled.join(', ')}`,
  );

async function measure(cluster: Cluster): Promise<number> {
  const { url, endings } = cluster;
  const [person, other] = [await signIn(url, DEMO[0]), await signIn(url, DEMO[1])];
  const people = [person, other, ...(await newcomers(url, NEWCOMERS))];
  const chat = await openChat(url, people, PAGES_EACH);
  let written = people.length;
  const calls = await Calls.begin(url, person);
  const send = async (index: number): Promise<void> =>
    index % MESSAGE_EVERY === 0 ? chat.write((written += 1)) : calls.nth(index);

  let rolling = true;
  let rotationFaults: string[] = [];
  const roll = (async () => {
    await sleep(3_000);
    for (const name of parts) {
      console.log(`replacing ${name}`);
      await cluster.roll(name);
    }
    if (rotates) rotationFaults = await rotate(cluster, person, other);
    await sleep(2_000);
  })().finally(() => (rolling = false));
  roll.catch(() => undefined); // awaited below, after the requests
  const results: FixedRateResult[] = [];
  const durationMs = isSmoke ? 1_000 : 5_000;
  while (rolling) results.push(await fixedRate({ rate: RATE, durationMs, maxInFlight: 2_000, task: send }));
  await roll;
  // The pages poll for missed messages meanwhile.
  await sleep(3_000);
  const found = findingsOf(chat);
  for (const page of chat.pages) page.close();
  await calls.close();

  const sum = (key: 'offered' | 'failed' | 'dropped') => results.reduce((all, one) => all + one[key], 0);
  const faults = results.flatMap((one) => one.faults);
  const unclean = endings.filter((text) => !text.endsWith('code 0'));
  for (const fault of [...faults.slice(0, 20), ...rotationFaults]) console.log(`FAULT ${fault}`);
  for (const text of unclean) console.log(`ENDED ${text}`);
  return report({
    name: 'restart',
    rows: [
      row('processes replaced', endings.length, '', {
        atLeast: rotates ? 1 : parts.reduce((all, name) => all + replicasOf(name), 0),
      }),
      row('requests', sum('offered'), '', { note: `${RATE}/s` }),
      none('failed', sum('failed')),
      none('dropped', sum('dropped')),
      none('processes with an unclean end', unclean.length),
      ...(rotates ? [none('faults of the rotation', rotationFaults.length)] : []),
      row('pages with a socket', chat.pages.length),
      row('messages for pages', found.expected, '', { note: `${chat.sent.size} written` }),
      none('messages lost', found.lost),
      none('messages doubled', found.doubled),
    ],
    data: { perStatus: Object.fromEntries(calls.perStatus), rotationFaults, faults, endings, results },
  });
}

// The cluster's processes do not keep this process alive.
const alive = setInterval(() => undefined, 60_000);
const cluster = await startCluster(scratch().dir, {
  ...unlimited,
  LOG_LEVEL: 'warn',
  DRAIN_WAIT_MS: isSmoke ? '1000' : '4000',
  DRAIN_MS: '20000',
});
try {
  process.exitCode = await measure(cluster);
} finally {
  await cluster.stop();
  clearInterval(alive);
}
