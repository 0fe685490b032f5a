/** `ours.ts FOLDER`: looks at every photo with the vision service's own code, on one thread; prints its Samples. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeModels } from '@karaar/testing/faces/models';
import { judgeFile } from '@karaar/service-vision/inference/judge';
import { loadModels } from '@karaar/service-vision/inference/sessions';
import { findModels } from '@karaar/service-vision/models/files';
import { isCloseup, type Sample } from './images.ts';

const folder = process.argv[2] ?? '.';
const files = (await readdir(folder)).sort();
const photos = await Promise.all(files.map((file) => readFile(join(folder, file))));
const models = await loadModels(await findModels(await makeModels()));
const typeOf = (i: number) => (isCloseup(files[i] ?? '') ? 'eyes' : 'faces');
for (const [i, photo] of photos.entries()) await judgeFile(photo, { detectType: typeOf(i) }, models);

const samples: Sample[] = [];
for (const [i, photo] of photos.entries()) {
  const before = process.cpuUsage();
  const started = performance.now();
  const { ok } = await judgeFile(photo, { detectType: typeOf(i) }, models);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  samples.push({ file: files[i] ?? '', ms, cpuMs: (user + system) / 1_000, face: ok });
}
process.stdout.write(JSON.stringify(samples));
