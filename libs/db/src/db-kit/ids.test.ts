import { randomCode8, uuidv7 } from './ids.ts';

describe('identifiers', () => {
  it('[PROFILE-025] makes UUIDs of version 7 that sort by creation', () => {
    const ids = Array.from({ length: 2_000 }, () => uuidv7());
    expect(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('[PROFILE-027] [DOC-094] makes codes of 8 characters without I, L, O and U, every symbol about equally often', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 8_000; n += 1) {
      const code = randomCode8();
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
      for (const symbol of code) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    // 64,000 draws over 32 symbols: 2,000 each, standard deviation 44; seven standard deviations do not occur
    // by chance.
    for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(310);
  });
});
