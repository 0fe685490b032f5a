import fc from 'fast-check';
import { fileProgress, namedFile } from './uploads.ts';

describe('the progress of each file', () => {
  it('fills one file after the other', () => {
    expect(fileProgress([100, 300], 0)).toEqual([0, 0]);
    expect(fileProgress([100, 300], 0.125)).toEqual([0.5, 0]);
    expect(fileProgress([100, 300], 0.625)).toEqual([1, 0.5]);
    expect(fileProgress([100, 300], 1)).toEqual([1, 1]);
  });

  it('sums to the whole, never exceeds it, and never starts a file before the previous one ends', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1e8 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (given, whole) => {
        const parts = fileProgress(given, whole);
        const sent = parts.reduce((sum, part, index) => sum + part * (given[index] ?? 0), 0);
        const total = given.reduce((sum, size) => sum + size, 0);
        expect(sent / total).toBeCloseTo(whole, 6);
        parts.forEach((part, index) => {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(1);
          if (part > 0 && index > 0) expect(parts[index - 1]).toBe(1);
        });
      }),
    );
  });
});

describe('the file in an error', () => {
  it('is the one whose full name is in it', () => {
    const files = [{ name: 'a.pdf' }, { name: 'lease a.pdf' }, { name: 'b.pdf' }];
    expect(namedFile(files, '"lease a.pdf" contains macros.')?.name).toBe('lease a.pdf');
    expect(namedFile(files, 'raw_documents: b.pdf is empty.')?.name).toBe('b.pdf');
    expect(namedFile(files, 'Something went wrong.')).toBeUndefined();
  });
});
