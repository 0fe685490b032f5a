import { AdaptiveLimit } from './adaptive-limit.ts';
import type { TrafficClass } from '@karaar/contracts/traffic-class';
import { Shares, type Holder, type Part } from './shares.ts';
import { QueueDelay } from './queue-delay.ts';
import type { Urgency } from '@karaar/contracts/urgency';

export type ServiceGateOptions = {
  /** The delay in milliseconds that most requests may have. */
  targetMs: number;
  /** The most quick requests at the same time, however fast the service is. */
  maxQuick: number;
  /** Long requests under way at most. */
  maxLong: number;
};

/**
 * The limit before the first measurement: as many as a service with 3,200 answers a second handles in 40 ms, so that
 * the guess refuses no ordinary request.
 */
const START_QUICK = 128;
/** The limit after a first measurement that shows a queue. */
const INITIAL_QUICK = 32;
/** The lowest limit: enough to find out that a service has recovered. */
const MIN_QUICK = 8;
const MIN_LONG = 8;

/** The share of a limit that each urgency may fill: urgent requests find room that the others had to leave. */
const SHARE: Readonly<Record<Urgency, number>> = { vital: 1.1, usual: 0.9, patient: 0.6 };
/** Extra places: the share of a small limit is too little for a few requests that come at once. */
const EXTRA: Readonly<Record<Urgency, number>> = { vital: 8, usual: 0, patient: 0 };

/**
 * The gate before one service: how many requests may be under way there, by traffic class and urgency. The limit follows the
 * queue before the service (`queue-delay.ts`, `adaptive-limit.ts`); long requests are counted separately and divided
 * among callers (`shares.ts`), but are refused with the quick ones when the service has no room.
 */
export class ServiceGate {
  readonly #delay: QueueDelay;
  readonly #limits: Readonly<Record<TrafficClass, AdaptiveLimit>>;
  readonly #underWay: Record<TrafficClass, number> = { quick: 0, long: 0 };
  readonly #shares = new Shares();
  readonly #peak: Record<TrafficClass, number> = { quick: 0, long: 0 };
  /** The service answered that it has no room, or did not answer. */
  #turnedAway = false;

  constructor({ targetMs, maxQuick, maxLong }: ServiceGateOptions) {
    this.#delay = new QueueDelay(targetMs);
    this.#limits = {
      quick: new AdaptiveLimit({ start: START_QUICK, initial: INITIAL_QUICK, min: MIN_QUICK, max: maxQuick }),
      long: new AdaptiveLimit({ start: maxLong, initial: maxLong, min: MIN_LONG, max: maxLong }),
    };
  }

  /**
   * Whether there is room for one more request; does not take the place.
   * @param who of a long request; without the caller: whether there is room for any
   */
  hasRoom(trafficClass: TrafficClass, urgency: Urgency, who?: { part: Part; caller?: string }): boolean {
    const places = this.#limits[trafficClass].value * SHARE[urgency] + EXTRA[urgency];
    if (this.#underWay[trafficClass] >= places) return false;
    return trafficClass === 'quick' || who === undefined || this.#shares.hasRoom(who, places);
  }

  enter(trafficClass: TrafficClass, holder?: Holder): void {
    if (trafficClass === 'long' && holder !== undefined) this.#shares.take(holder);
    const now = (this.#underWay[trafficClass] += 1);
    if (now > this.#peak[trafficClass]) this.#peak[trafficClass] = now;
  }

  leave(trafficClass: TrafficClass, holder?: Holder): void {
    if (trafficClass === 'long' && holder !== undefined) this.#shares.leave(holder);
    this.#underWay[trafficClass] -= 1;
  }

  /** Records by how many milliseconds a successful quick answer exceeded its route's least time. */
  noteDelay(ms: number): void {
    this.#delay.note(ms);
  }

  /** The service refused (503) or did not answer in time. */
  noteTurnedAway(): void {
    this.#turnedAway = true;
  }

  /** Evaluates the measurements since the last call; called ten times a second. */
  tick(): void {
    const measured = this.#delay.verdict();
    const verdict = this.#turnedAway ? 'standing' : measured;
    this.#turnedAway = false;
    for (const trafficClass of ['quick', 'long'] as const) {
      this.#limits[trafficClass].adjust(verdict, this.#peak[trafficClass]);
      this.#peak[trafficClass] = this.#underWay[trafficClass];
    }
  }

  limit(trafficClass: TrafficClass): number {
    return this.#limits[trafficClass].value;
  }

  underWay(trafficClass: TrafficClass): number {
    return this.#underWay[trafficClass];
  }

  /** The recent delay of most requests, in milliseconds. */
  get queueDelayMs(): number {
    return this.#delay.lastMs;
  }
}
