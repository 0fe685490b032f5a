import { AdaptiveLimit } from './adaptive-limit.ts';
import type { TrafficClass } from '@karaar/contracts/traffic-class';
import { Shares, type Holder, type Part } from './shares.ts';
import { QueueDelay } from './queue-delay.ts';
import type { Urgency } from '@karaar/contracts/urgency';

export type ServiceGateOptions = {
  /** The delay in milliseconds that most requests may have. */
  targetMs: number;
  /** Largest number of concurrent quick requests, however fast the service is. */
  maxQuick: number;
  maxLong: number;
};

/**
 * The limit before the first measurement: as many requests as a service with 3,200 answers a second handles
 * in 40 ms, so that the guess refuses no ordinary request.
 */
const START_QUICK = 128;
/** The limit after a first measurement that shows a queue. */
const INITIAL_QUICK = 32;
/** The lowest limit: enough to find out that a service has recovered. */
const MIN_QUICK = 8;
const MIN_LONG = 8;

/**
 * The share of a limit that each urgency may fill, so that urgent requests find places that the others must
 * leave free.
 */
const SHARE: Readonly<Record<Urgency, number>> = { vital: 1.1, usual: 0.9, patient: 0.6 };
/** Extra places, because a share of a small limit is too little for a few simultaneous requests. */
const EXTRA: Readonly<Record<Urgency, number>> = { vital: 8, usual: 0, patient: 0 };

/**
 * Limits the concurrent requests to one service, by traffic class and urgency. The limit follows the queue at
 * the service (`queue-delay.ts`, `adaptive-limit.ts`). Long requests are counted separately and divided
 * among callers (`shares.ts`), but are also refused when the service is overloaded.
 */
export class ServiceGate {
  readonly #delay: QueueDelay;
  readonly #limits: Readonly<Record<TrafficClass, AdaptiveLimit>>;
  readonly #underWay: Record<TrafficClass, number> = { quick: 0, long: 0 };
  readonly #shares = new Shares();
  readonly #peak: Record<TrafficClass, number> = { quick: 0, long: 0 };
  /** The service answered that it is overloaded, or did not answer. */
  #turnedAway = false;

  constructor({ targetMs, maxQuick, maxLong }: ServiceGateOptions) {
    this.#delay = new QueueDelay(targetMs);
    this.#limits = {
      quick: new AdaptiveLimit({ start: START_QUICK, initial: INITIAL_QUICK, min: MIN_QUICK, max: maxQuick }),
      long: new AdaptiveLimit({ start: maxLong, initial: maxLong, min: MIN_LONG, max: maxLong }),
    };
  }

  /**
   * Returns true if there is room for one more request; does not take the place.
   * @param who of a long request; without the caller, checks if there is room for any caller
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

  /** Records by how many milliseconds a successful quick answer exceeded its route's baseline. */
  noteDelay(ms: number): void {
    this.#delay.note(ms);
  }

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
