import { readFile } from 'node:fs/promises';
import { makeModels } from '@karaar/testing/faces/models';
import { judgeFile } from '@karaar/service-vision/inference/judge';
import { loadModels } from '@karaar/service-vision/inference/sessions';
import { findModels } from '@karaar/service-vision/models/files';

export type Question = { path: string; type: 'faces' | 'eyes' };
export type Answer = {
  ok: boolean;
  /** The time from the file's bytes to the answer. */
  ms: number;
  /** Its processor time, which depends less on the load of the machine. */
  cpuMs: number;
  reason?: string;
};

const models = await loadModels(await findModels(await makeModels()));

/** Judges photos by the vision service's code, on one thread. */
export async function ours(questions: readonly Question[]): Promise<Answer[]> {
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
  return answers;
}
