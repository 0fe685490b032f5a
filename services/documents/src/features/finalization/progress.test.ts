import { FINALIZATION_STEPS } from '@karaar/contracts/documents/http';
import fc from 'fast-check';
import { howFar } from './progress.ts';

describe('the progress of a finalization', () => {
  it('only increases from step to step and from file to file, and stays below 100 percent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), (files) => {
        const percentages = [
          ...Array.from({ length: files + 1 }, (_, done) => howFar('files', done, files)),
          ...FINALIZATION_STEPS.slice(1).map((step) => howFar(step)),
        ].map(({ percent }) => percent);
        expect(percentages).toEqual([...percentages].sort((a, b) => a - b));
        expect(percentages[0]).toBe(0);
        expect(percentages.at(-1)).toBeLessThan(100);
        expect(percentages.every(Number.isInteger)).toBe(true);
      }),
    );
  });
});
