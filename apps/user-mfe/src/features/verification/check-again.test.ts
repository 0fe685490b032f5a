import { ApiError } from '@karaar/api-client';
import { checkAgain, checkAgainMs } from './check-again.ts';

const busy = (retryAfter: string | null) => new ApiError(503, null, retryAfter);

describe('a photo that could not be checked', () => {
  it('is submitted again if the server is busy briefly, at most twice', () => {
    expect([0, 1, 2].map((failures) => checkAgain(failures, busy('1')))).toEqual([true, true, false]);
  });

  it('is left to the user after a longer pause, without a pause, and after any other response', () => {
    const others = [
      busy('60'),
      busy(null),
      new ApiError(429, null, '1'),
      new ApiError(0, null),
      new Error('ours'),
    ];
    for (const error of others) expect(checkAgain(0, error)).toBe(false);
  });

  it('waits for the requested time, plus a random delay', () => {
    for (let i = 0; i < 20; i++) {
      const ms = checkAgainMs(0, busy('2'));
      expect(ms).toBeGreaterThanOrEqual(2_000);
      expect(ms).toBeLessThan(3_000);
    }
  });
});
