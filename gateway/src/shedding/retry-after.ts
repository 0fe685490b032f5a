import type { Urgency } from '@karaar/contracts/urgency';

/** Seconds between which a sender is asked to come back. */
const SPAN: Readonly<Record<Urgency, readonly [from: number, to: number]>> = {
  vital: [1, 2],
  usual: [1, 4],
  patient: [2, 8],
};

/** Seconds for `Retry-After`: not the same for all, so that those turned away together do not come back together. */
export function retryAfterS(urgency: Urgency, random: () => number = Math.random): number {
  const [from, to] = SPAN[urgency];
  return from + Math.floor(random() * (to - from + 1));
}
