import type { Urgency } from '@karaar/contracts/urgency';

const SPAN: Readonly<Record<Urgency, readonly [from: number, to: number]>> = {
  vital: [1, 2],
  usual: [1, 4],
  patient: [2, 8],
};

/** Returns random seconds for `Retry-After`, so that clients refused together do not return together. */
export function retryAfterS(urgency: Urgency, random: () => number = Math.random): number {
  const [from, to] = SPAN[urgency];
  return from + Math.floor(random() * (to - from + 1));
}
