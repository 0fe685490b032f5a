import { Shares, type Part } from './shares.ts';

const PLACES = 128;

/**
 * Takes all places that are available.
 * @returns their number
 */
function fill(shares: Shares, part: Part, callers: readonly string[]): number {
  let taken = 0;
  for (let before = -1; before !== taken;) {
    before = taken;
    for (const caller of callers) {
      if (!shares.hasRoom({ part, caller }, PLACES)) continue;
      shares.take({ part, caller });
      taken += 1;
    }
  }
  return taken;
}
const callers = (count: number, name = 'caller') => Array.from({ length: count }, (_, at) => `${name} ${at}`);

describe('long places', () => {
  it('are never all held by a few callers: others of the same kind find room', () => {
    const shares = new Shares();
    fill(shares, 'stranger', callers(3));
    for (const other of callers(10, 'other')) {
      expect(shares.hasRoom({ part: 'stranger', caller: other }, PLACES)).toBe(true);
      shares.take({ part: 'stranger', caller: other });
    }
  });

  it('of one kind are bounded for any number of callers: each other kind keeps a quarter', () => {
    for (const part of ['stranger', 'signed-in', 'download'] as const) {
      const shares = new Shares();
      expect(fill(shares, part, callers(1_000))).toBe(PLACES / 2);
      for (const other of ['stranger', 'signed-in', 'download'] as const)
        if (other !== part) expect(fill(shares, other, callers(1_000, other))).toBe(PLACES / 4);
    }
  });

  it('are free again once they are released', () => {
    const shares = new Shares();
    const holder = { part: 'stranger', caller: 'a' } as const;
    const mine = fill(shares, 'stranger', ['a']);
    expect(shares.hasRoom(holder, PLACES)).toBe(false);
    for (let at = 0; at < mine; at += 1) shares.leave(holder);
    expect(fill(shares, 'stranger', ['a'])).toBe(mine);
  });

  it('are at least one per kind at the lowest limit', () => {
    const shares = new Shares();
    for (const part of ['stranger', 'signed-in', 'download'] as const)
      expect(shares.hasRoom({ part, caller: 'a' }, 4)).toBe(true);
  });
});
