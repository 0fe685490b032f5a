/**
 * `npm run vision:evaluate -- DIR`: what the vision service says about photos of known content, and what
 * OpenCV's Haar cascades say about the same, in the same run. DIR holds the folders faces, no-faces,
 * eyes-open, eyes-closed and no-eyes, each with any pictures; one that is missing is left out and told. Folders below them are
 * told one by one; `faces/ordinary` has a goal of its own.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { makeModels } from '@karaar/testing/faces/models';
import { judgeFile } from '@karaar/service-vision/inference/judge';
import { loadModels } from '@karaar/service-vision/inference/sessions';
import { findModels } from '@karaar/service-vision/models/files';
import { report, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { latencyOf } from '../lib/stats.ts';
import { findOpencv } from '../vision/opencv.ts';
import { drawnPhotos } from './drawn.ts';
import { CLASSES, ORDINARY, ORDINARY_ACCEPTED, picturesIn, type PhotoClass } from './photos.ts';

interface Answer {
  ok: boolean;
  ms: number;
  /** Processor time, which a busy machine stretches less. */
  cpuMs: number;
  reason?: string;
}

const [given] = isSmoke ? [await drawnPhotos()] : process.argv.slice(2);
if (given === undefined) {
  console.error(
    'Usage: npm run vision:evaluate -- DIR   (with folders faces, no-faces, eyes-open, eyes-closed, no-eyes)',
  );
  process.exit(2);
}
// npm runs scripts in the project's folder and tells where it was called.
const folder = resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
const python = findOpencv();
const models = await loadModels(await findModels(await makeModels()));

const rows: Row[] = [];
const data: Record<string, unknown> = {};
for (const photoClass of CLASSES) {
  const photos = await picturesIn(resolve(folder, photoClass.folder));
  if (photos.length === 0) {
    console.log(`${photoClass.name}: no pictures in ${photoClass.folder}/`);
    continue;
  }
  const ours = await askOurs(photos, photoClass);
  rows.push(...rowsOf('ours', photoClass, ours));
  rows.push(...groupsOf(photoClass, photos, ours));
  tell(photoClass, photos, ours);
  const theirs = python ? await askHaar(python, photos, photoClass) : undefined;
  if (theirs) rows.push(...rowsOf('Haar', { ...photoClass, accepted: undefined }, theirs));
  const named = (answers: Answer[]) =>
    answers.map((answer, i) => ({ photo: relative(folder, photos[i] ?? ''), ...answer }));
  data[photoClass.name] = { ours: named(ours), haar: theirs && named(theirs) };
}
if (rows.length === 0) {
  console.error(`${folder} holds no pictures in folders of these names.`);
  process.exit(2);
}
process.exitCode = report({ name: 'vision-evaluate', rows, data });

async function askOurs(photos: readonly string[], { type }: PhotoClass): Promise<Answer[]> {
  const answers: Answer[] = [];
  // The first run of a model is slower than all others.
  await judgeFile(await readFile(photos[0] ?? ''), { detectType: type }, models);
  for (const photo of photos) {
    const file = await readFile(photo);
    const before = process.cpuUsage();
    const started = performance.now();
    const { ok, reason } = await judgeFile(file, { detectType: type }, models);
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    answers.push({ ok, ms, cpuMs: (user + system) / 1_000, ...(reason ? { reason } : {}) });
  }
  return answers;
}

async function askHaar(command: string, photos: readonly string[], { type }: PhotoClass): Promise<Answer[]> {
  const script = fileURLToPath(new URL('./haar.py', import.meta.url));
  const child = spawn(command, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(photos.map((path) => ({ path, type }))));
  const answers = JSON.parse(await text(child.stdout)) as Answer[];
  if (answers.length !== photos.length)
    throw new Error('haar.py answered fewer photos than it was asked about');
  return answers;
}

function rowsOf(who: string, { name, accepted }: PhotoClass, answers: readonly Answer[]): Row[] {
  const share = (100 * answers.filter(({ ok }) => ok).length) / answers.length;
  const wall = latencyOf(answers.map(({ ms }) => ms));
  const cpu = latencyOf(answers.map(({ cpuMs }) => cpuMs));
  const what = `${name}, ${who}`;
  return [
    {
      what: `${what}: accepted`,
      value: share,
      unit: '%',
      ...(accepted ? { budget: accepted } : {}),
      note: `of ${answers.length}`,
    },
    {
      what: `${what}: time per photo, p50`,
      value: wall.p50,
      unit: 'ms',
      note: `processor ${cpu.p50.toFixed(1)}`,
    },
    {
      what: `${what}: time per photo, p95`,
      value: wall.p95,
      unit: 'ms',
      note: `processor ${cpu.p95.toFixed(1)}`,
    },
  ];
}

/** What was accepted in each folder below the class's own; those of ordinary portraits have a goal of theirs. */
function groupsOf(
  { name, folder: own }: PhotoClass,
  photos: readonly string[],
  answers: readonly Answer[],
): Row[] {
  const groups = new Map<string, Answer[]>();
  for (const [i, photo] of photos.entries()) {
    const [group, ...below] = relative(resolve(folder, own), photo).split(sep);
    const answer = answers[i];
    if (group === undefined || below.length === 0 || !answer) continue;
    groups.set(group, [...(groups.get(group) ?? []), answer]);
  }
  return [...groups].map(([group, ofGroup]) => ({
    what: `${name}/${group}, ours: accepted`,
    value: (100 * ofGroup.filter(({ ok }) => ok).length) / ofGroup.length,
    unit: '%',
    ...(name === 'faces' && group === ORDINARY ? { budget: ORDINARY_ACCEPTED } : {}),
    note: `of ${ofGroup.length}`,
  }));
}

/** Reasons, and which photos came out otherwise than their folder says. */
function tell({ name, accepted }: PhotoClass, photos: readonly string[], answers: readonly Answer[]): void {
  const counts = new Map<string, number>();
  for (const { reason = 'ok' } of answers) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} ${count}`);
  console.log(`${name}: ${reasons.join(', ')}`);
  if (!accepted) return;
  const wanted = 'atLeast' in accepted;
  const wrong = photos.filter((_, i) => answers[i]?.ok !== wanted);
  for (const photo of wrong.slice(0, 25)) {
    console.log(`  ${relative(folder, photo)}: ${answers[photos.indexOf(photo)]?.reason ?? 'accepted'}`);
  }
  if (wrong.length > 25) console.log(`  and ${wrong.length - 25} more, in the result file`);
}
