/** Chance that comes out the same in every run (mulberry32). */
export interface Random {
  /** Evenly between two numbers. */
  between: (from: number, to: number) => number;
  pick: <T>(values: readonly [T, ...T[]]) => T;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + next() * (to - from),
    pick: (values) => values[Math.floor(next() * values.length)] ?? values[0],
  };
}
