/**
 * `npm run actions`: what a person does for the journeys of the product, and how many seconds a cheap phone takes for them
 * (slow 4G, a processor four times slower, a browser that has nothing of Karaar yet), as a table in Markdown.
 * Exits with 1 when a journey takes more actions than it should. Measured alone on a machine, or the seconds say nothing.
 *
 *   --only pay      names that contain this
 *   --quick         without the slow phone: counts alone
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
import { freshPhone } from '../src/signed-in.ts';
import { JOURNEYS, measure, type Measured, type Stage } from './journeys.ts';

/** Chromium's own "Slow 4G". */
const NETWORK = PredefinedNetworkConditions['Slow 4G'];
const SLOWER = 4;

const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } });
const wanted = JOURNEYS.filter(({ name }) => name.includes(values.only ?? ''));
if (wanted.length === 0) throw new Error(`No journey's name contains '${values.only ?? ''}'`);

const folder = await mkdtemp(join(tmpdir(), 'karaar-actions-'));
await writeFile(join(folder, 'rent_agreement.pdf'), await textPdf('The rent is ten thousand rupees'));
const results: ({ name: string; before: number | null; aim: number } & Measured)[] = [];
await withProduct('actions', {}, async ({ url }) => {
  const camera = [Buffer.from(await faceImage({ width: 1280, height: 720 }))];
  const chromium = await launchChromium({ camera });
  const stage: Stage = {
    url,
    browser: chromium.browser,
    folder,
    owner: await newPerson(url, 'Asha Rao', freshPhone()),
    guest: await newPerson(url, 'Vikram Shah', freshPhone()),
    prepare: async ({ page }) => {
      if (values.quick) return;
      await page.emulateNetworkConditions(NETWORK);
      await page.emulateCPUThrottling(SLOWER);
    },
  };
  try {
    for (const journey of wanted) {
      const { name, before, aim } = journey;
      const result = { name, before, aim, ...(await measure(stage, journey)) };
      results.push(result);
      process.stdout.write(`${row(result)}\n`);
    }
  } finally {
    await chromium.close();
  }
}).finally(() => rm(folder, { recursive: true, force: true }));

const tooMany = results.filter(({ actions, aim }) => actions > aim);
process.stdout.write(
  [
    '',
    values.quick ? 'counts alone, on a phone as fast as this machine' : 'slow 4G, processor × 1/4',
    `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    '',
    '| journey | before | now | opens, s | then, s |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(row),
    ...tooMany.map(({ name, actions, aim }) => `Too many actions: ${name}: ${actions}, at most ${aim}`),
    '',
  ].join('\n'),
);
await mkdir(join(stateRoot, 'bench'), { recursive: true });
await writeFile(join(stateRoot, 'bench', 'actions.json'), `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = tooMany.length === 0 ? 0 : 1;

function row({ name, before, actions, opensMs, thenMs }: (typeof results)[number]): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  return `| ${name} | ${before ?? '–'} | ${actions} | ${seconds(opensMs)} | ${seconds(thenMs)} |`;
}
