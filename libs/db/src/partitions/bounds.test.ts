import { idAt, momentOf, monthAfter, spanOf, spansBetween } from './bounds.ts';

describe('spans', () => {
  it('are whole months, quarters or years in UTC, and contain the ids of their time', () => {
    const moment = new Date('2026-11-21T10:00:00Z');
    expect([1, 3, 12].map((months) => spanOf(moment, months).name)).toEqual([
      '2026_11',
      '2026_10',
      '2026_01',
    ]);
    expect(spansBetween(moment, new Date('2027-06-01T00:00:00Z'), 12)[1]).toEqual({
      name: '2027_01',
      from: new Date('2027-01-01T00:00:00Z'),
      to: new Date('2028-01-01T00:00:00Z'),
    });
    expect(idAt(moment)).toBe('01a1fd8c-6900-0000-0000-000000000000');
    expect(momentOf(idAt(moment))).toEqual(moment);
    expect(() => momentOf('1')).toThrow('not an id');
  });

  it('reach as many months ahead on each day of a year, also on the 31st', () => {
    const day = 24 * 60 * 60 * 1_000;
    for (let at = Date.parse('2026-11-01T23:59:59Z'); at < Date.parse('2028-04-01'); at += day) {
      const now = new Date(at);
      expect(spansBetween(now, monthAfter(now, 3), 1)).toHaveLength(4);
    }
  });
});
