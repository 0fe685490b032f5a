/**
 * How the sandbox misbehaves, so that tests can show what the product does then.
 * Modes of webhooks say how a webhook is delivered; modes of the API say how a call is answered.
 */
export const WEBHOOK_MODES = [
  /** At once, once. */
  'normal',
  /** Each webhook twice at the same moment, with the same event id. */
  'duplicate',
  /** After `delay_ms`. */
  'late',
  /** Webhooks of `delay_ms` are held and sent last one first. */
  'reordered',
  /** The amount is changed after signing. */
  'tampered',
  /** The body trickles in over `delay_ms`. */
  'slow',
  /** The connection is reset in the middle of the body. */
  'reset',
  /** Never: the callback is lost. */
  'off',
] as const;
export const API_MODES = [
  'normal',
  /** After `delay_ms`. */
  'slow',
  /** Never. */
  'silent',
  /** The connection is reset without an answer. */
  'reset',
  /** A refund is made, and the connection is reset instead of an answer. */
  'forgetful',
  /** 500. */
  'error',
  /** 409, as for a request that is still being worked on. */
  'busy',
  /** 401, as for other keys. */
  'keys',
  /** The page of a proxy, with status 200. */
  'page',
] as const;

export type WebhookMode = (typeof WEBHOOK_MODES)[number];
export type ApiMode = (typeof API_MODES)[number];

export interface Mode<Name extends string> {
  mode: Name;
  delay_ms: number;
  /** How many more webhooks or calls it is for; null: until it is changed. */
  times: number | null;
}

/** One setting that ends by itself when its `times` are used up. */
export class ModeSwitch<Name extends string> {
  #current: Mode<Name | 'normal'> = { mode: 'normal', delay_ms: 0, times: null };

  set(mode: Mode<Name>): void {
    this.#current = mode;
  }

  get current(): Mode<Name | 'normal'> {
    return this.#current;
  }

  /** The mode for one webhook or call. */
  take(): Mode<Name | 'normal'> {
    const taken = this.#current;
    if (taken.times !== null) {
      const left = taken.times - 1;
      this.#current = left > 0 ? { ...taken, times: left } : { mode: 'normal', delay_ms: 0, times: null };
    }
    return taken;
  }
}
