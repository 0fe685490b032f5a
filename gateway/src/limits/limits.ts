import { tooManyRequests, type AppError } from '@karaar/platform/errors';
import { WindowCounter, type SharedCounts } from './window-counter.ts';

const WINDOW_MS = 60_000;
const SYNC_MS = 250;

export type LimitsOptions = {
  /** Requests per address and minute. */
  perMinute: number;
  /** Requests per address and minute to the sensitive routes together. */
  sensitivePerMinute: number;
  shared: SharedCounts;
  /** Milliseconds since the epoch; windows of all gateways begin together. */
  now?: (() => number) | undefined;
  /** Told when the shared store stops answering (with the fault) and when it is back (null). */
  onSharedState: (fault: Error | null) => void;
};

/** Rate limits per client address, shared between gateways through Redis. */
export class Limits {
  readonly #all: WindowCounter;
  readonly #sensitive: WindowCounter;
  readonly #options: LimitsOptions;
  readonly #timer: NodeJS.Timeout;
  #sharedDown = false;
  #syncing = false;

  constructor(options: LimitsOptions) {
    this.#options = options;
    const { perMinute, sensitivePerMinute, now = Date.now } = options;
    this.#all = new WindowCounter({ name: 'all', limit: perMinute, windowMs: WINDOW_MS, now });
    this.#sensitive = new WindowCounter({
      name: 'sensitive',
      limit: sensitivePerMinute,
      windowMs: WINDOW_MS,
      now,
    });
    // Left referenced on purpose: while one timer is, the deadline timers of requests come and go without
    // each waking the event loop's bookkeeping.
    this.#timer = setInterval(() => void this.#sync(), SYNC_MS);
  }

  /** Counts a request of an address. @returns the refusal when it is one too many, else null. */
  request(ip: string): AppError | null {
    return refusal(this.#all.take(addressKey(ip)));
  }

  /**
   * Counts a request to a sensitive route. The services keep their own, finer limits (per phone, per
   * account); this bounds what one address can ask of them at all.
   */
  sensitive(ip: string): AppError | null {
    return refusal(this.#sensitive.take(addressKey(ip)));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #sync(): Promise<void> {
    if (this.#syncing) return;
    this.#syncing = true;
    try {
      await this.#all.sync(this.#options.shared);
      await this.#sensitive.sync(this.#options.shared);
      this.#report(null);
    } catch (error) {
      this.#report(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#syncing = false;
    }
  }

  #report(fault: Error | null): void {
    const down = fault !== null;
    if (down === this.#sharedDown) return;
    this.#sharedDown = down;
    this.#options.onSharedState(fault);
  }
}

function refusal(waitMs: number): AppError | null {
  if (waitMs === 0) return null;
  return tooManyRequests('Too many requests. Please wait a moment and try again.', waitMs / 1_000);
}

/** An IPv6 subscriber has a whole /64: counted as one. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length;
    while (groups.length + after < 8) groups.push('0');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
