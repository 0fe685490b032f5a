/**
 * Validates the commands of a socket: invalid values must not reach the database, which would fail on them.
 */
import { isCommand } from './live.ts';

const ID = '0199aaaa-0000-7000-8000-000000000000';
const DASHES = '-'.repeat(36);

it('accepts only UUIDs as ids', () => {
  expect(isCommand('typing', { to: ID, typing: true })).toBe(true);
  expect(isCommand('watch', { user_ids: [ID] })).toBe(true);
  for (const id of [DASHES, 'a'.repeat(36), `${ID}0`, ID.replaceAll('-', ''), 7]) {
    expect(isCommand('typing', { to: id, typing: true })).toBe(false);
    expect(isCommand('watch', { user_ids: [ID, id] })).toBe(false);
    expect(isCommand('delivered', { from: id, up_to_seq: 1 })).toBe(false);
  }
});

it('accepts only positions that a conversation can have', () => {
  expect(isCommand('delivered', { from: ID, up_to_seq: 2_147_483_647 })).toBe(true);
  for (const up_to_seq of [0, -1, 1.5, 2_147_483_648, Number.MAX_SAFE_INTEGER, '1'])
    expect(isCommand('delivered', { from: ID, up_to_seq })).toBe(false);
});
