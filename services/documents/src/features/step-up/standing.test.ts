import { standingOf, type KeyChange } from './standing.ts';

const HOUR = 60 * 60_000;
const WAIT = 72 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');
const at = (hours: number) => new Date(START + hours * HOUR);
const change = (key_id: string, action: KeyChange['action'], hours: number): KeyChange => ({
  key_id,
  action,
  at: at(hours).toISOString(),
});
const added = (id: string, hours: number) => change(id, 'added', hours);
const removed = (id: string, hours: number) => change(id, 'removed', hours);
const standing = (hours: number, ...changes: KeyChange[]) => standingOf(changes, at(hours), WAIT);

it('requires no confirmation from a person who never had a key', () => {
  expect(standing(0)).toEqual({ state: 'none' });
});

it('lets a first key confirm at once', () => {
  expect(standing(0, added('a', 0))).toEqual({ state: 'keys', keyIds: ['a'] });
});

it('lets a further key confirm only after the waiting time', () => {
  const keys = [added('a', 0), added('b', 100)];
  expect(standing(171.9, ...keys)).toEqual({ state: 'keys', keyIds: ['a'] });
  expect(standing(172, ...keys)).toEqual({ state: 'keys', keyIds: ['a', 'b'] });
});

it('waits after the last confirming key is removed, and then requires no confirmation', () => {
  const keys = [added('a', 0), removed('a', 10)];
  expect(standing(10, ...keys)).toEqual({ state: 'waiting', until: at(82) });
  expect(standing(81.9, ...keys)).toEqual({ state: 'waiting', until: at(82) });
  expect(standing(82, ...keys)).toEqual({ state: 'none' });
});

it('does not let a thief who replaces the key confirm before the waiting time', () => {
  const exchanged = [added('a', 0), removed('a', 10), added('thief', 11)];
  expect(standing(81.9, ...exchanged)).toEqual({ state: 'waiting', until: at(82) });
  expect(standing(82, ...exchanged)).toEqual({ state: 'keys', keyIds: ['thief'] });
  const besides = [added('a', 0), added('thief', 10), removed('a', 11)];
  expect(standing(82.9, ...besides)).toEqual({ state: 'waiting', until: at(83) });
  expect(standing(83, ...besides)).toEqual({ state: 'keys', keyIds: ['thief'] });
});

it('does not wait after the removal of a key that could never confirm', () => {
  const keys = [added('a', 0), added('thief', 10), removed('thief', 12)];
  expect(standing(12, ...keys)).toEqual({ state: 'keys', keyIds: ['a'] });
});

it('continues with the remaining keys', () => {
  const keys = [added('a', 0), added('b', 1), removed('a', 100)];
  expect(standing(100, ...keys)).toEqual({ state: 'keys', keyIds: ['b'] });
});

it('starts again with a key that is added long after a removal', () => {
  const keys = [added('a', 0), removed('a', 10), added('b', 200)];
  expect(standing(200, ...keys)).toEqual({ state: 'keys', keyIds: ['b'] });
});

it('reads changes in any order, and requires confirmation while a key exists or waits', () => {
  const keys = [removed('a', 11), added('b', 10), added('a', 0)];
  for (let hours = 0; hours < 200; hours += 1)
    expect(
      standing(hours, ...keys.filter((key) => Date.parse(key.at) <= at(hours).getTime())).state,
    ).not.toBe('none');
});
