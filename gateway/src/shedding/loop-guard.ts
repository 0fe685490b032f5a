import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Urgency } from '@karaar/contracts/urgency';

/** Sampling interval of the event loop in milliseconds; lateness beyond it is delay. */
const RESOLUTION_MS = 10;
/** With less utilization than this, a late loop waits for the CPU and is not busy with requests. */
const AT_WORK = 0.7;
const UP = 0.1;
const DOWN = 0.02;

export type LoopDelay = {
  /** Returns the median delay in milliseconds since the last call, 0 if the loop was not busy. */
  read(): number;
  stop(): void;
};

/** Measures the delay of this process's event loop until `stop` is called. */
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
 * Protects the gateway itself: if its own event loop is late, limits of services do not help. Refusing a
 * request costs a fraction of forwarding it, so a growing share of the least urgent requests is refused until
 * the loop keeps up.
 */
export class LoopGuard {
  readonly #targetMs: number;
  readonly #delay: LoopDelay;
  readonly #random: () => number;
  /** 0: all requests pass; 0.5: patient ones do not; 1: only vital ones pass. */
  #level = 0;
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

  /** Evaluates the last interval; called ten times a second. */
  tick(): void {
    const late = this.#delay.read() > this.#targetMs;
    // A single late interval is a burst or a garbage collection, which is already over.
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
