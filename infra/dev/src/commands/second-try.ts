import type { FileResult } from './results.ts';

export const MOST_FLAKY = 5;
/** If more files fail than this, the code is broken and a second try would not help. */
const MOST_TRIED_AGAIN = 20;

export interface Outcome {
  passed: number;
  failed: number;
  flakyFiles: number;
  /** Tests that failed at first and passed when their file ran alone. */
  flaky: { file: string; test: string; error: string }[];
}

/**
 * Runs each failed file again, alone. If it passes, its failures count as flaky; else the second result
 * counts.
 */
export async function withSecondTry(
  results: readonly FileResult[],
  runAlone: (first: FileResult) => Promise<FileResult | undefined>,
): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, flakyFiles: 0, flaky: [] };
  const again = results.filter(({ failures }) => failures.length > 0).length <= MOST_TRIED_AGAIN;
  for (const first of results) {
    const counted = first.failures.length > 0 && again ? await runAlone(first) : first;
    outcome.passed += counted?.passed ?? 0;
    outcome.failed += counted?.failures.length ?? 1;
    if (first.failures.length === 0 || counted === undefined || counted.failures.length > 0) continue;
    outcome.flakyFiles += 1;
    outcome.flaky.push(...first.failures.map((failure) => ({ file: first.path, ...failure })));
  }
  return outcome;
}
