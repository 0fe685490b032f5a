import { Value } from 'typebox/value';
import { IsoDate } from './kit.ts';

it.each([
  ['2026-11-27', true],
  ['1900-01-01', true],
  ['2199-12-31', true],
  ['0000-01-01', false],
  ['0001-01-01', false],
  ['1899-12-31', false],
  ['2200-01-01', false],
  ['9999-12-31', false],
])('a date in a request must be between 1900 and 2199: %s', (date, isTaken) => {
  expect(Value.Check(IsoDate, date)).toBe(isTaken);
});
