import { join, relative } from 'node:path';
import type { FileResult, TestProject } from './results.ts';

/** A run with more flaky files than this fails. */
export const MOST_FLAKY = 5;
/** With more failed files than this the code is broken, and no second try would say more. */
const MOST_TRIED_AGAIN = 20;

/** A test that failed at first and passed when its file ran alone. */
export interface Flaky {
  file: string;
  test: string;
  error: string;
}

/** The counts of a whole run, with the files that passed at the second try only. */
export interface Outcome {
  passed: number;
  failed: number;
  flakyFiles: number;
  flaky: Flaky[];
}

/** Runs one test file of a project alone; undefined when that run wrote no result. */
export type RunAlone = (project: TestProject, path: string) => Promise<FileResult | undefined>;

/**
 * Counts a run in which each failed file is run once more, alone. If a file passes then, all its tests count as
 * passed and the tests that failed at first are listed as flaky; if it fails again, the second result counts.
 *
 * @param root folder that the paths of flaky files are relative to
 * @param results by project; undefined for a project that wrote none, which counts as one failure
 */
export async function withSecondTry(
  root: string,
  results: readonly { project: TestProject; files: FileResult[] | undefined }[],
  runAlone: RunAlone,
): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, flakyFiles: 0, flaky: [] };
  const tries = results.flatMap(({ files }) => files ?? []).filter(({ failures }) => failures.length > 0);
  const again = tries.length <= MOST_TRIED_AGAIN;
  for (const { project, files } of results) {
    if (files === undefined) outcome.failed += 1;
    for (const first of files ?? []) {
      const counted = first.failures.length > 0 && again ? await runAlone(project, first.path) : first;
      outcome.passed += counted?.passed ?? 0;
      outcome.failed += counted?.failures.length ?? 1;
      if (first.failures.length === 0 || counted === undefined || counted.failures.length > 0) continue;
      outcome.flakyFiles += 1;
      const file = relative(root, join(project.dir, first.path));
      outcome.flaky.push(...first.failures.map((failure) => ({ file, ...failure })));
    }
  }
  return outcome;
}
