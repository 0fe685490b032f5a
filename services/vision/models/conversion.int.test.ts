/** Compares the converted models, and the page's own implementation, with the originals. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Deviations } from './testing/attention-operators.ts';
import type { Report } from './testing/compare-with-tflite.ts';

/** Runs a script of ./testing in a separate process and returns the JSON that it prints. */
async function ask<T>(script: string): Promise<T> {
  const path = fileURLToPath(new URL(`./testing/${script}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path]);
  return JSON.parse(stdout) as T;
}

describe('the converted models', () => {
  let report: Report;
  beforeAll(async () => {
    report = await ask<Report>('compare-with-tflite.ts');
  }, 120_000);

  it.each(['short', 'full', 'landmark', 'page'])('%s differs from TFLite by at most 1.4e-3', (model) => {
    const ofModel = report.comparisons.filter((comparison) => comparison.model === model);
    expect(ofModel).toHaveLength(8);
    // Values are around 100, so this difference is rounding; a wrong padding or axis gives more.
    expect(Math.max(...ofModel.map(({ largest }) => largest))).toBeGreaterThan(50);
    for (const { difference } of ofModel) expect(difference).toBeLessThanOrEqual(1.4e-3);
  });

  it('the eye branch alone finds the contour of the whole attention model', () => {
    expect(report.eyeBranchDistance).toBeLessThan(0.05);
  });
});

describe("the attention model's own operators, in standard ones", () => {
  let deviations: Deviations;
  beforeAll(async () => {
    deviations = await ask<Deviations>('attention-operators.ts');
  }, 120_000);

  it.each(['matrix', 'sampling', 'landmarks'] as const)('%s matches its definition', (operator) => {
    expect(deviations[operator]).toBeLessThan(1e-3);
  });
});
