/**
 * `npm run actions`: counts the actions of a person for each journey, and measures the seconds on a cheap phone (slow
 * 4G, a processor four times slower, an empty cache). Exits with 1 if a journey takes too many actions, or the person
 * waits too long after one. The seconds are valid only on a machine that does nothing else.
 *
 *   --only pay      names that contain this
 *   --quick         without the slow phone: only counts
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stateRoot } from '@karaar/testing/roots';
import { launchChromium } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { PredefinedNetworkConditions } from 'puppeteer-core';
import { newPerson } from '../src/person.ts';
import { withProduct } from '../src/own-product.ts';
import { roomyEnv } from '../src/room.ts';
import { JOURNEYS, measure, type Journey, type Measured, type Stage } from './journeys.ts';

const SLOW_PHONE = { network: PredefinedNetworkConditions['Slow 4G'], slower: 4 };
const WAIT_MS = 2_500;

const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } });
const wanted = JOURNEYS.filter(({ name }) => name.includes(values.only ?? ''));
if (wanted.length === 0) throw new Error(`No journey's name contains '${values.only ?? ''}'`);

const folder = await mkdtemp(join(tmpdir(), 'karaar-actions-'));
await writeFile(join(folder, 'rent_agreement.pdf'), await textPdf('The rent is ten thousand rupees'));
const results: (Pick<Journey, 'name' | 'aim' | 'waitMs'> & Measured)[] = [];
await withProduct({ env: roomyEnv }, async ({ url }) => {
  const camera = [Buffer.from(await faceImage({ width: 1280, height: 720, size: 1 }))];
  const { browser, close } = await launchChromium({ camera });
  const stage: Stage = {
    url,
    browser,
    folder,
    owner: await newPerson(url, 'Asha Rao'),
    guest: await newPerson(url, 'Vikram Shah'),
    phone: values.quick ? undefined : SLOW_PHONE,
  };
  try {
    for (const journey of wanted) {
      const { walk: _walk, ...figures } = journey;
      const result = { ...figures, ...(await measure(stage, journey)) };
      results.push(result);
      process.stdout.write(`${row(result)}\n`);
    }
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});

const faults = results.flatMap(({ name, actions, aim, waitMs = WAIT_MS, steps }) => [
  ...(actions > aim ? [`${name}: ${actions} actions, at most ${aim}`] : []),
  ...(values.quick ? [] : steps)
    .filter(({ ms }) => ms > waitMs)
    .map(({ after, ms }) => `${name}: ${seconds(ms)} s after “${after}”, at most ${seconds(waitMs)}`),
]);
process.stdout.write(
  [
    '',
    values.quick ? 'only counts, on a phone as fast as this machine' : 'slow 4G, processor × 1/4',
    `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    '',
    '| journey | actions | opens, s | then, s | longest wait, s | at most |',
    '| --- | --- | --- | --- | --- | --- |',
    ...results.map(row),
    ...faults,
    '',
  ].join('\n'),
);
await mkdir(join(stateRoot, 'bench'), { recursive: true });
await writeFile(join(stateRoot, 'bench', 'actions.json'), `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function row({ name, actions, waitMs = WAIT_MS, opensMs, thenMs, steps }: (typeof results)[number]): string {
  const longest = Math.max(0, ...steps.map(({ ms }) => ms));
  return `| ${name} | ${actions} | ${[opensMs, thenMs, longest, waitMs].map(seconds).join(' | ')} |`;
}
