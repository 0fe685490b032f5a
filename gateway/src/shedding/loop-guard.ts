import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Urgency } from '@karaar/contracts/urgency';

/** How often the event loop is looked at, in milliseconds; what it is late beyond that is delay. */
const RESOLUTION_MS = 10;
/** Below this part of its time at work a loop that is late waits for a processor, not for its requests. */
const AT_WORK = 0.7;
const UP = 0.1;
const DOWN = 0.02;

/** What the guard reads: how late this process's event loop is. */
export type LoopDelay = {
  /** Milliseconds that most looks of the last interval were late because of the loop's own work; begins the next one. */
  read(): number;
  stop(): void;
};

/** The delay of this process's event loop. */
export function watchLoop(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let before = performance.eventLoopUtilization();
  return {
    read: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      const late = histogram.count === 0 ? 0 : histogram.percentile(50) / 1e6 - RESOLUTION_MS;
      histogram.reset();
      return utilization < AT_WORK ? 0 : Math.max(0, late);
    },
    stop: () => void histogram.disable(),
  };
}

/**
 * The gateway's guard for itself: when its own event loop is behind, no limit of a service helps. What is turned away
 * costs a fraction of what is forwarded, so a growing part of the least urgent is, until the loop keeps up again.
 */
export class LoopGuard {
  readonly #targetMs: number;
  readonly #delay: LoopDelay;
  readonly #random: () => number;
  /** From 0 (all pass) by 0.5 (nothing patient passes) to 1 (what is vital passes). */
  #level = 0;
  /** The loop was late in the last interval. */
  #late = false;

  constructor(targetMs: number, delay: LoopDelay, random: () => number = Math.random) {
    this.#targetMs = targetMs;
    this.#delay = delay;
    this.#random = random;
  }

  passes(urgency: Urgency): boolean {
    if (this.#level === 0 || urgency === 'vital') return true;
    const refused = urgency === 'patient' ? this.#level * 2 : this.#level * 2 - 1;
    return refused <= 0 || this.#random() >= refused;
  }

  /** Judges the last interval; called ten times a second. */
  tick(): void {
    const late = this.#delay.read() > this.#targetMs;
    // Once is a burst or a pause of the collector, which is over when it is seen.
    if (late && this.#late) this.#level = Math.min(1, this.#level + UP);
    if (!late) this.#level = Math.max(0, this.#level - DOWN);
    this.#late = late;
  }

  get level(): number {
    return this.#level;
  }

  stop(): void {
    this.#delay.stop();
  }
}
