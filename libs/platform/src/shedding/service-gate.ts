import { AdaptiveLimit } from './adaptive-limit.ts';
import type { Lane } from '@karaar/contracts/lane';
import { StandingDelay } from './standing-delay.ts';
import type { Urgency } from '@karaar/contracts/urgency';

export type ServiceGateOptions = {
  /** A delay in which most requests may stand, in milliseconds. */
  targetMs: number;
  /** Quick requests under way at most, however well it goes. */
  maxQuick: number;
  /** Long requests under way at most. */
  maxLong: number;
};

/** Before anything was measured: what a service answers in 40 ms that answers 3,200 a second, so that no guess turns anybody away. */
const START_QUICK = 128;
/** Where the limit begins once the first that was measured is a queue. */
const INITIAL_QUICK = 32;
/** Where the limit never falls below: enough to find out that a service is well again. */
const MIN_QUICK = 8;
const MIN_LONG = 8;

/** The part of a limit that each may fill: what is urgent finds room that the others had to leave. */
const SHARE: Readonly<Record<Urgency, number>> = { vital: 1.1, usual: 0.9, patient: 0.6 };
/** Places beyond that: of a small limit a part is no room for a few that come at once. */
const EXTRA: Readonly<Record<Urgency, number>> = { vital: 8, usual: 0, patient: 0 };

/**
 * The gate before one service: how many requests may be under way there, by lane and urgency. The limit follows the queue
 * before the service (`standing-delay.ts`, `adaptive-limit.ts`); the long ones are counted apart, but yield with the
 * quick ones when the service has no room.
 */
export class ServiceGate {
  readonly #delay: StandingDelay;
  readonly #limits: Readonly<Record<Lane, AdaptiveLimit>>;
  readonly #underWay: Record<Lane, number> = { quick: 0, long: 0 };
  readonly #peak: Record<Lane, number> = { quick: 0, long: 0 };
  /** The service said itself that it cannot, or was silent. */
  #turnedAway = false;

  constructor({ targetMs, maxQuick, maxLong }: ServiceGateOptions) {
    this.#delay = new StandingDelay(targetMs);
    this.#limits = {
      quick: new AdaptiveLimit({ start: START_QUICK, initial: INITIAL_QUICK, min: MIN_QUICK, max: maxQuick }),
      long: new AdaptiveLimit({ start: maxLong, initial: maxLong, min: MIN_LONG, max: maxLong }),
    };
  }

  /** Is there room for one more? Takes none. */
  hasRoom(lane: Lane, urgency: Urgency): boolean {
    return this.#underWay[lane] < this.#limits[lane].value * SHARE[urgency] + EXTRA[urgency];
  }

  enter(lane: Lane): void {
    const now = (this.#underWay[lane] += 1);
    if (now > this.#peak[lane]) this.#peak[lane] = now;
  }

  leave(lane: Lane): void {
    this.#underWay[lane] -= 1;
  }

  /** Takes what a successful quick answer took longer than its route takes alone, in milliseconds. */
  noteDelay(ms: number): void {
    this.#delay.note(ms);
  }

  /** The service refused (503) or did not answer in time. */
  noteTurnedAway(): void {
    this.#turnedAway = true;
  }

  /** Judges what happened since the last time; called ten times a second. */
  tick(): void {
    const measured = this.#delay.verdict();
    const verdict = this.#turnedAway ? 'standing' : measured;
    this.#turnedAway = false;
    for (const lane of ['quick', 'long'] as const) {
      this.#limits[lane].adjust(verdict, this.#peak[lane]);
      this.#peak[lane] = this.#underWay[lane];
    }
  }

  limit(lane: Lane): number {
    return this.#limits[lane].value;
  }

  underWay(lane: Lane): number {
    return this.#underWay[lane];
  }

  /** The delay in which most requests stood lately, in milliseconds. */
  get standingMs(): number {
    return this.#delay.lastMs;
  }
}
