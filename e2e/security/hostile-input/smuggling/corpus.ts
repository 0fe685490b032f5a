import { bodyFramings } from './bodies.ts';
import type { Framing } from './framing.ts';
import { headFramings } from './heads.ts';
import { lengthFramings } from './lengths.ts';
import { nameFramings } from './names.ts';
import { requestFramings } from './requests.ts';

/** All framings, always in the same order. @throws Error when two have one name */
export function corpus(): Framing[] {
  const all = [
    ...lengthFramings(),
    ...bodyFramings(),
    ...requestFramings(),
    ...headFramings(),
    ...nameFramings(),
  ];
  const names = new Set<string>();
  for (const { name } of all) {
    if (names.has(name)) throw new Error(`Two framings are called ${name}`);
    names.add(name);
  }
  return all;
}

/** Every so many of each family, and of each at least one: for a look that takes seconds. */
export function someOf(all: readonly Framing[], every: number): Framing[] {
  const seen = new Map<string, number>();
  return all.filter(({ family }) => {
    const count = seen.get(family) ?? 0;
    seen.set(family, count + 1);
    return count % every === 0;
  });
}
