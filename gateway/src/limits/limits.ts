import { tooManyRequests, type AppError } from '@karaar/platform/errors';
import { WindowCounter, type SharedCounts } from './window-counter.ts';

const WINDOW_MS = 60_000;
const SYNC_MS = 250;

export type LimitsOptions = {
  /** Requests per address and minute. */
  perMinute: number;
  /** Requests per address and minute to the sensitive routes together. */
  sensitivePerMinute: number;
  /** The same to the heavy ones. */
  heavyPerMinute: number;
  shared: SharedCounts;
  /** Milliseconds since the epoch; windows of all gateways begin together. */
  now?: (() => number) | undefined;
  /** Told when the shared store stops answering (with the fault) and when it is back (null). */
  onSharedState: (fault: Error | null) => void;
};

/** Routes of which an address gets fewer: where guessing pays, and where one call costs much. */
export type RareKind = 'sensitive' | 'heavy';

/** Rate limits per client address, shared between gateways through Redis. */
export class Limits {
  readonly #all: WindowCounter;
  readonly #rare: Record<RareKind, WindowCounter>;
  readonly #options: LimitsOptions;
  readonly #timer: NodeJS.Timeout;
  #sharedDown = false;
  #syncing = false;

  constructor(options: LimitsOptions) {
    this.#options = options;
    const { perMinute, sensitivePerMinute, heavyPerMinute, now = Date.now } = options;
    const counter = (name: string, limit: number) =>
      new WindowCounter({ name, limit, windowMs: WINDOW_MS, now });
    this.#all = counter('all', perMinute);
    this.#rare = {
      sensitive: counter('sensitive', sensitivePerMinute),
      heavy: counter('heavy', heavyPerMinute),
    };
    // Left referenced on purpose: while one timer is, the deadline timers of requests come and go without
    // each waking the event loop's bookkeeping.
    this.#timer = setInterval(() => void this.#sync(), SYNC_MS);
  }

  /** Counts a request of an address. @returns the refusal when it is one too many, else null. */
  request(ip: string): AppError | null {
    return refusal(this.#all.take(addressKey(ip)));
  }

  /**
   * Counts a request to a sensitive or heavy route. The services keep their own, finer limits (per phone, per
   * account, how many at once); this bounds what one address can ask of them at all.
   */
  rare(kind: RareKind, ip: string): AppError | null {
    return refusal(this.#rare[kind].take(addressKey(ip)));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #sync(): Promise<void> {
    if (this.#syncing) return;
    this.#syncing = true;
    try {
      for (const counter of [this.#all, ...Object.values(this.#rare)])
        await counter.sync(this.#options.shared);
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
