/**
 * `npm run screens`: pictures of every screen in the states that matter, at three widths, in both themes, in English
 * and Hindi, from a product of its own with people and documents made over its API.
 *
 *   --only dashboard      names (or routes) that contain this
 *   --out DIR             .karaar/screens unless given
 *   --languages en,ta     en,hi unless given
 */
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LANGUAGES } from '@karaar/contracts/limits';
import { launchChromium } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import { writeSheet } from './sheet.ts';
import { shotName, shots, type Shot } from './shots.ts';
import { take, type Picture } from './take.ts';
import { makeWorld, readIn } from './world.ts';
import { withProduct } from '../src/own-product.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    out: { type: 'string' },
    languages: { type: 'string', default: 'en,hi' },
  },
});
const folder = resolve(values.out ?? join(import.meta.dirname, '../../.karaar/screens'));
const languages = values.languages.split(',');
const unknown = languages.filter((language) => !(LANGUAGES as readonly string[]).includes(language));
if (unknown.length > 0) throw new Error(`No such language: ${unknown.join(', ')} (${LANGUAGES.join(', ')})`);
const only = values.only;
const wanted = shots.filter((shot) => !only || shotName(shot).includes(only) || shot.route.includes(only));
if (wanted.length === 0) throw new Error(`No screen's name contains '${only ?? ''}'`);
const pictures: Picture[] = [];
const faults: string[] = [];
await withProduct('screens', {}, async ({ url }) => {
  const world = await makeWorld(url);
  await mkdir(folder, { recursive: true });
  const face = await faceImage({ width: 1280, height: 720 });
  // Dates in fields of the browser's own stand as people in India write them.
  const chromium = await launchChromium({ camera: [Buffer.from(face)], args: ['--lang=en-GB'] });
  const work = async (queue: Shot[], language: string): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const taken = await take(chromium.browser, world, next, language, folder);
      pictures.push(...taken.pictures);
      faults.push(...taken.faults);
    }
  };
  try {
    // One language after the other: it is also the account's, and the account's counts.
    for (const language of languages) {
      await readIn(world, language);
      const queue = [...wanted];
      const workers = Math.max(2, Math.min(4, cpus().length));
      await Promise.all(Array.from({ length: workers }, () => work(queue, language)));
    }
  } finally {
    await chromium.close();
  }
});

const order = new Map(shots.map((shot, at) => [shotName(shot), at]));
pictures.sort((a, b) => (order.get(shotName(a.shot)) ?? 0) - (order.get(shotName(b.shot)) ?? 0));
await writeSheet(folder, pictures);
process.stdout.write(`${pictures.length} pictures of ${wanted.length} screens in ${folder}\n`);
for (const fault of new Set(faults)) process.stdout.write(`fault: ${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
