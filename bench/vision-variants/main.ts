/**
 * `npm run bench -- vision-variants DIR OUT [SEED] [PER_KIND] [PEOPLE]`: from a few portraits a set for `npm run
 * vision:evaluate -- OUT`. DIR holds pictures whose names begin with `face` (one person each, eyes open) or
 * `no-face`. Each kind of damage is made PER_KIND times of each portrait; the name of a picture tells portrait and kind.
 * The same SEED makes the same set: choose limits on one, look at another. With PEOPLE, as many pictures are made of so
 * many people who do not exist (people.ts) instead of the portraits themselves.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { makeModels } from '@karaar/testing/faces/models';
import { observeEyes } from '@karaar/service-vision/inference/observe';
import { loadModels } from '@karaar/service-vision/inference/sessions';
import { findModels } from '@karaar/service-vision/models/files';
import { faceImage, noiseImage } from '@karaar/testing/faces/faces';
import { folderOf, isSmoke } from '../lib/smoke.ts';
import { load } from './canvas.ts';
import { CLOSED, CLOSED_DRESSED, OPEN, OPEN_DRESSED } from './closeups.ts';
import { HARD, ORDINARY, type Portrait, type Variant } from './faces.ts';
import { madeUp } from './people.ts';
import { drawn, part, partOfPerson, PARTS_OF_PERSONS, surface, things } from './no-faces.ts';
import { seeded } from './random.ts';

const given = isSmoke ? [await drawnPortraits(), folderOf({}), '1', '1', '1'] : process.argv.slice(2);
const [from, to, seed = '1', perKind = '6', people = '0'] = given;
if (from === undefined || to === undefined) {
  console.error('Usage: npm run bench -- vision-variants DIR OUT [SEED] [PER_KIND] [PEOPLE]');
  process.exit(2);
}
const here = process.env['INIT_CWD'] ?? process.cwd();
const [source, out] = [resolve(here, from), resolve(here, to)];
const each = Number(perKind);
const random = seeded(Number(seed));
const models = await loadModels(await findModels(await makeModels()));
/** An ordinary one weighs as much as all ways of being hard together, and a close-up likewise. */
const [ORDINARY_TIMES, CLOSEUP_TIMES, DRESSED_TIMES] = isSmoke ? [1, 1, 1] : [8, 12, 4];

const names = (await readdir(source)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort();
const portraits: [string, Portrait][] = [];
for (const name of names.filter((one) => one.startsWith('face'))) {
  const picture = await load(join(source, name));
  const [face] = await observeEyes(picture, models);
  if (!face) throw new Error(`No face is found on ${name}`);
  portraits.push([basename(name, extname(name)), { picture, ...face }]);
}

/** Who is on the pictures: the portraits, or people made out of them. */
const shown: [string, Portrait][] = [];
for (let i = 0; i < Number(people); i++) {
  const [first, second] = [portraits[i % portraits.length], portraits[(i + 1 + (i >> 2)) % portraits.length]];
  if (!first || !second) break;
  const person = await madeUp(first[1], second[1], random);
  // Lids are drawn down along what is seen of them: where they were moved to is a little beside it.
  const [seen] = await observeEyes(person.picture, models);
  shown.push([`person-${i}`, { ...person, eyes: seen?.eyes ?? person.eyes }]);
}
if (shown.length === 0) shown.push(...portraits);

/** Each kind so many times for each portrait, of one person after the other. */
async function write(folder: string, kinds: Record<string, Variant>, times: number): Promise<void> {
  let next = 0;
  const below = join(out, folder);
  await rm(below, { recursive: true, force: true });
  await mkdir(below, { recursive: true });
  for (const [kind, make] of Object.entries(kinds))
    for (let i = 0; i < portraits.length * times; i++) {
      const [name, portrait] = shown[next++ % shown.length] as [string, Portrait];
      await writeFile(join(below, `${kind}.${name}.${i}.jpg`), await make(portrait, random));
    }
  console.log(`${folder}: ${Object.keys(kinds).length * portraits.length * times}`);
}

await write('faces/ordinary', ORDINARY, each * ORDINARY_TIMES);
await write('faces/hard', HARD, each);
await write('eyes-open/plain', OPEN, each * CLOSEUP_TIMES);
await write('eyes-open/looks', OPEN_DRESSED, each * DRESSED_TIMES);
await write('eyes-closed/plain', CLOSED, each * CLOSEUP_TIMES);
await write('eyes-closed/looks', CLOSED_DRESSED, each * DRESSED_TIMES);
const persons = PARTS_OF_PERSONS.map((part): [string, Variant] => [
  part,
  (portrait, chance) => partOfPerson(portrait, part, chance),
]);
await write('no-eyes', Object.fromEntries(persons), each * DRESSED_TIMES);

const empty = join(out, 'no-faces');
await rm(empty, { recursive: true, force: true });
await mkdir(empty, { recursive: true });
let count = 0;
const keep = async (picture: Buffer, kind: string): Promise<void> =>
  writeFile(join(empty, `${kind}.${count++}.jpg`), picture);
for (const name of names.filter((one) => one.startsWith('no-face'))) {
  const picture = await load(join(source, name));
  for (let i = 0; i < each * 10; i++) await keep(await part(picture, random), basename(name, extname(name)));
}
for (let i = 0; i < each * 10; i++) await keep(await surface(random), 'surface');
for (let i = 0; i < each * 15; i++) await keep(await things(random), 'things');
for (const picture of await drawn()) await keep(picture, 'drawn');
console.log(`no-faces: ${count}`);

async function drawnPortraits(): Promise<string> {
  return folderOf({
    'face-1.jpg': await faceImage({ seed: 1 }),
    'face-2.jpg': await faceImage({ seed: 2 }),
    'no-face-1.png': await noiseImage(),
  });
}
