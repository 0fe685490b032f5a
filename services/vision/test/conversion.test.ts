/** The converted models give what the originals give. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Report } from './support/compare-with-tflite.ts';

const script = fileURLToPath(new URL('./support/compare-with-tflite.ts', import.meta.url));

describe('the converted models', () => {
  let report: Report;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    report = JSON.parse(stdout) as Report;
  }, 120_000);

  it.each(['short', 'full', 'landmark'])('%s differs from TFLite by at most 1.4e-3', (model) => {
    const ofModel = report.comparisons.filter((comparison) => comparison.model === model);
    expect(ofModel).toHaveLength(8);
    // Values around 100: a difference this small is rounding, a wrong padding or axis is not.
    expect(Math.max(...ofModel.map(({ largest }) => largest))).toBeGreaterThan(50);
    for (const { difference } of ofModel) expect(difference).toBeLessThanOrEqual(1.4e-3);
  });

  it('the eye branch alone finds the contour that the whole attention model finds', () => {
    expect(report.eyeBranchDistance).toBeLessThan(0.05);
  });
});
