/** Judges the photos on stdin by the vision service's code, on one thread, and prints the answers. */
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { makeModels } from '@karaar/testing/faces/models';
import { judgeFile } from '@karaar/service-vision/inference/judge';
import { loadModels } from '@karaar/service-vision/inference/sessions';
import { findModels } from '@karaar/service-vision/models/files';
import type { Answer, Asked } from './ask.ts';

const { questions, warmUp } = (await json(process.stdin)) as Asked;
const models = await loadModels(await findModels(await makeModels()));
for (const { path, type } of questions.slice(0, warmUp))
  await judgeFile(await readFile(path), { detectType: type }, models);
const answers: Answer[] = [];
for (const { path, type } of questions) {
  const photo = await readFile(path);
  const before = process.cpuUsage();
  const started = performance.now();
  const { ok, reason } = await judgeFile(photo, { detectType: type }, models);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  answers.push({ ok, ms, cpuMs: (user + system) / 1_000, ...(reason ? { reason } : {}) });
}
process.stdout.write(JSON.stringify(answers));
