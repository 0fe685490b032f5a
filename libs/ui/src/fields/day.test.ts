import fc from 'fast-check';
import { dayTyped, finishedDay, readDay, writtenDay } from './day.ts';

describe('readDay', () => {
  it.each([
    ['21/11/2026', '2026-11-21'],
    ['1/2/2026', '2026-02-01'],
    ['21-11-2026', '2026-11-21'],
    ['21.11.2026', '2026-11-21'],
    ['21 11 2026', '2026-11-21'],
    ['21112026', '2026-11-21'],
    ['२१/११/२०२६', '2026-11-21'],
    ['2026-11-21', '2026-11-21'],
    [' 29/02/2028 ', '2028-02-29'],
    ['2026/11/21', '2026-11-21'],
    ['２１／１１／２０２６', '2026-11-21'],
    ['21\u200b/11/2026', '2026-11-21'],
  ])('%s → %s', (typed, day) => expect(readDay(typed)).toBe(day));

  it.each(['', '21/11', '21/11/26', '31/02/2026', '00/01/2026', '11/21/2026', '29/02/2026', 'today'])(
    'refuses %j',
    (typed) => expect(readDay(typed)).toBeUndefined(),
  );

  it('reads a displayed date, and one typed digit by digit', () => {
    const days = fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2199-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (date) => {
        const iso = date.toISOString().slice(0, 10);
        expect(readDay(writtenDay(iso))).toBe(iso);
        let text = '';
        for (const digit of writtenDay(iso).replaceAll('/', '')) text = dayTyped(text + digit, text);
        expect(text).toBe(writtenDay(iso));
      }),
    );
    expect(writtenDay('')).toBe('');
  });
});

describe('finishedDay', () => {
  it.each([
    ['1/2/26', '2026-02-01'],
    ['01/02/26', '2026-02-01'],
    ['29/02/28', '2028-02-29'],
    ['21/11/2026', '2026-11-21'],
    ['', ''],
    ['31/2/26', undefined],
    ['1/2/6', undefined],
    ['1/2/226', undefined],
    ['1/2', undefined],
  ])('%j → %j', (typed, day) => expect(finishedDay(typed)).toBe(day));
});

describe('dayTyped', () => {
  it.each([
    '21/11/2026',
    '21-11-2026',
    '21.11.2026',
    '21 11 2026',
    '21112026',
    '२१/११/२०२६',
    '২১-১১-২০২৬',
    '௨௧௧௧௨௦௨௬',
    '21–11–2026',
  ])('shows %s, typed key by key, as 21/11/2026', (keys) => {
    let text = '';
    for (const key of keys) text = dayTyped(text + key, text);
    expect(text).toBe('21/11/2026');
  });

  it.each([
    [' 21/11/2026\n', '21/11/2026'],
    ['\u200b21/11/2026', '21/11/2026'],
    ['21\u201111\u20112026', '21/11/2026'],
    ['21,11,2026', '21/11/2026'],
    ['2026-11-21', '21/11/2026'],
    ['2026-11-21T10:00:00Z', '21/11/2026'],
    ['2026/11/21', '21/11/2026'],
    ['2026-02-31', '31/02/2026'],
    ['1/2/2026', '1/2/2026'],
    ['1/2/26', '1/2/26'],
    ['', ''],
  ])('shows %j, pasted, as %j', (pasted, shown) => expect(dayTyped(pasted, '')).toBe(shown));

  it('allows deleting a slash, and drops letters', () => {
    expect(dayTyped('21', '21/')).toBe('21');
    expect(dayTyped('2a', '2')).toBe('2');
    expect(dayTyped('१', '')).toBe('1');
  });
});
