import { isClockBehind, lengthInWords } from './clock.ts';

const HOUR = 3_600_000;

it('formats a duration in the largest unit that occurs at least twice', () => {
  const lengths = [
    15 * 60_000,
    119 * 60_000,
    5.5 * HOUR,
    -26 * HOUR,
    47.4 * HOUR,
    -48 * HOUR,
    400 * 24 * HOUR,
  ];
  expect(lengths.map(lengthInWords)).toEqual([
    '15 minutes',
    '119 minutes',
    '6 hours',
    '26 hours',
    '47 hours',
    '2 days',
    '400 days',
  ]);
});

describe('a clock that shows a day before the app was fetched', () => {
  // Only the method that the clock uses.
  const cache = (match: () => Promise<Response | undefined>) => ({ match }) as unknown as CacheStorage;
  const fetched = (date: string | null) =>
    cache(async () => new Response('', date === null ? {} : { headers: { date } }));
  const ago = (ms: number) => new Date(Date.now() - ms).toUTCString();

  it('is behind; a later clock may be right', async () => {
    expect(await isClockBehind(fetched(ago(-3 * 24 * HOUR)))).toBe(true);
    for (const date of [ago(0), ago(-2 * HOUR), ago(400 * 24 * HOUR), null])
      expect(await isClockBehind(fetched(date))).toBe(false);
  });

  it('is unknown if nothing is stored or storage is refused', async () => {
    expect(await isClockBehind(undefined)).toBe(false);
    expect(await isClockBehind(cache(async () => undefined))).toBe(false);
    const refused = cache(() => Promise.reject(new DOMException('', 'SecurityError')));
    expect(await isClockBehind(refused)).toBe(false);
  });
});
