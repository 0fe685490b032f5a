import { newCode } from './otp.ts';

it('[AUTH-045] makes codes of 6 characters from 32 symbols, each symbol about equally often in every place', () => {
  const places = Array.from({ length: 6 }, () => new Map<string, number>());
  const draws = 32_000;
  for (let nth = 0; nth < draws; nth += 1) {
    const code = newCode();
    expect(code).toHaveLength(6);
    for (const [at, counts] of places.entries()) {
      const symbol = code.charAt(at);
      counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
  }
  for (const counts of places) {
    expect([...counts.keys()].toSorted().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
    // The mean is 1,000 and the standard deviation 31; seven of them is beyond chance.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(220);
  }
});
