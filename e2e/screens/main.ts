/**
 * `npm run screens`: pictures of every screen in its main states, at three widths, in both themes and two languages.
 *
 *   --only dashboard      names (or routes) that contain this
 *   --out DIR             default: .karaar/screens
 *   --languages en,ta     default: en,hi
 */
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LANGUAGES } from '@karaar/contracts/limits';
import { stateRoot } from '@karaar/testing/roots';
import { launchChromium } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import pMap from 'p-map';
import { withProduct } from '../src/own-product.ts';
import { roomyEnv } from '../src/room.ts';
import { writeSheet } from './sheet.ts';
import { shotName, shots } from './shots.ts';
import { take } from './take.ts';
import { makeWorld, readIn } from './world.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join(stateRoot, 'screens') },
    languages: { type: 'string', default: 'en,hi' },
  },
});
const folder = resolve(values.out);
const languages = values.languages.split(',');
const unknown = languages.filter((language) => !(LANGUAGES as readonly string[]).includes(language));
if (unknown.length > 0)
  throw new Error(`Unknown language: ${unknown.join(', ')}. Choose from ${LANGUAGES.join(', ')}`);
const wanted = shots.filter((shot) =>
  [shotName(shot), shot.route].some((name) => name.includes(values.only)),
);
if (wanted.length === 0) throw new Error(`No screen's name contains '${values.only}'`);
const taken: Awaited<ReturnType<typeof take>>[] = [];
await withProduct({ env: roomyEnv }, async ({ url }) => {
  const world = await makeWorld(url);
  await mkdir(folder, { recursive: true });
  const face = await faceImage({ width: 1280, height: 720 });
  // Date fields show dates in the browser's language; en-GB shows them as in India.
  const { browser, close } = await launchChromium({ camera: [Buffer.from(face)], args: ['--lang=en-GB'] });
  const concurrency = Math.max(2, Math.min(4, cpus().length));
  try {
    // One language at a time, because the language of the account has precedence.
    for (const language of languages) {
      await readIn(world, language);
      const look = (shot: (typeof shots)[number]) => take(browser, world, shot, language, folder);
      taken.push(...(await pMap(wanted, look, { concurrency })));
    }
  } finally {
    await close();
  }
});

const order = new Map(shots.map((shot, at) => [shot, at]));
const pictures = taken.flatMap((one) => one.pictures);
pictures.sort((a, b) => (order.get(a.shot) ?? 0) - (order.get(b.shot) ?? 0));
await writeSheet(folder, pictures);
process.stdout.write(`${pictures.length} pictures of ${wanted.length} screens in ${folder}\n`);
const faults = new Set(taken.flatMap((one) => one.faults));
for (const fault of faults) process.stdout.write(`fault: ${fault}\n`);
process.exitCode = faults.size > 0 ? 1 : 0;
