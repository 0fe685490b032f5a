/**
 * Faults of the sandbox, so that tests can show how the product handles them. Webhook modes control the
 * delivery of a webhook; API modes control the response to a call.
 */
export const WEBHOOK_MODES = [
  /** Immediately, once. */
  'normal',
  /** Each webhook twice at the same moment, with the same event id. */
  'duplicate',
  /** After `delay_ms`. */
  'late',
  /** Webhooks of `delay_ms` are held and sent in reverse order. */
  'reordered',
  /** The amount is changed after signing. */
  'tampered',
  /** The body is sent slowly over `delay_ms`. */
  'slow',
  /** The connection is reset in the middle of the body. */
  'reset',
  /** Never: the webhook is lost. */
  'off',
] as const;
export const API_MODES = [
  'normal',
  /** After `delay_ms`. */
  'slow',
  /** Never. */
  'silent',
  /** The connection is reset without a response. */
  'reset',
  /** A refund is made, and the connection is reset instead of a response. */
  'forgetful',
  /** 500. */
  'error',
  /** 409, as for a request that is still in progress. */
  'busy',
  /** 401, as for wrong keys. */
  'keys',
  /** The page of a proxy, with status 200. */
  'page',
] as const;

export type WebhookMode = (typeof WEBHOOK_MODES)[number];
export type ApiMode = (typeof API_MODES)[number];

export interface Mode<Name extends string> {
  mode: Name;
  delay_ms: number;
  /** For how many more webhooks or calls; null: until it is changed. */
  times: number | null;
}

/** A setting that ends automatically after `times` uses. */
export class ModeSwitch<Name extends string> {
  #current: Mode<Name | 'normal'> = { mode: 'normal', delay_ms: 0, times: null };

  set(mode: Mode<Name>): void {
    this.#current = mode;
  }

  get current(): Mode<Name | 'normal'> {
    return this.#current;
  }

  /** Returns the mode for one webhook or call. */
  take(): Mode<Name | 'normal'> {
    const taken = this.#current;
    if (taken.times !== null) {
      const left = taken.times - 1;
      this.#current = left > 0 ? { ...taken, times: left } : { mode: 'normal', delay_ms: 0, times: null };
    }
    return taken;
  }
}
