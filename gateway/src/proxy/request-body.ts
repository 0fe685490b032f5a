import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyTooLarge, TooLate, uploadStalled } from '../http/refusals.ts';

export type BodyRules = {
  /** The largest size in bytes; needed because the length may not be declared. */
  maxBytes: number;
  /** Milliseconds of a window, in each of which enough bytes must arrive. */
  windowMs: number;
  minBytesPerS: number;
};

/** Bytes that are buffered while a short body is collected. */
export const BUFFER_BYTES = 64 * 1024;

/**
 * The body of a browser's request on its way to a service. It passes chunks on at the pace of the slower side
 * and buffers at most {@link BUFFER_BYTES}. Unlike the request itself, it can be destroyed when the service
 * disconnects, so that the browser's connection stays usable for the answer. It fails with an error for the
 * client if it is too large, or too slow although the service reads it.
 */
export class RequestBody extends Readable {
  readonly #req: IncomingMessage;
  readonly #rules: BodyRules;
  readonly #timer: NodeJS.Timeout;
  readonly #title: string;
  #left: number;
  #arrived = 0;
  /** True if the service was the slower side at some time in this window. */
  #heldBack = false;
  #paused = false;
  #onBuffered: (whole: boolean) => void = () => undefined;

  constructor(req: IncomingMessage, rules: BodyRules, title: string) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#req = req;
    this.#rules = rules;
    this.#title = title;
    this.#left = rules.maxBytes;
    // Data that arrived while the event loop was blocked is processed first.
    this.#timer = setInterval(() => setImmediate(this.#judge), rules.windowMs);
    req.on('data', this.#onData);
    req.on('end', this.#onEnd);
    req.on('close', this.#onClose);
    // The next read reports the error. Between reads it would have no handler and end the process.
    this.on('error', () => undefined);
  }

  /**
   * Waits for the whole of a short body.
   * @returns false for a longer one, which goes on as a stream
   */
  buffered(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#onBuffered = resolve;
      this.once('error', reject);
    });
  }

  bytes(): Buffer | null {
    return this.read() as Buffer | null;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#left -= chunk.length;
    this.#arrived += chunk.length;
    if (this.#left < 0) this.destroy(bodyTooLarge(this.#rules.maxBytes));
    else if (!this.push(chunk)) {
      this.#paused = true;
      this.#heldBack = true;
      this.#req.pause();
      this.#onBuffered(false);
    }
  };

  readonly #onEnd = (): void => {
    clearInterval(this.#timer);
    this.push(null);
    this.#onBuffered(true);
  };

  readonly #onClose = (): void => {
    if (!this.#req.complete) this.destroy(new Error('The browser disconnected while sending'));
  };

  readonly #judge = (): void => {
    if (this.destroyed || this.#req.complete) return;
    const { windowMs, minBytesPerS } = this.#rules;
    if (this.#paused && this.#arrived === 0) this.destroy(new TooLate(this.#title));
    else if (!this.#heldBack && this.#arrived < (minBytesPerS * windowMs) / 1_000)
      this.destroy(uploadStalled());
    this.#arrived = 0;
    this.#heldBack = this.#paused;
  };

  override _read(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#req.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#timer);
    this.#req.off('data', this.#onData);
    this.#req.off('end', this.#onEnd);
    this.#req.off('close', this.#onClose);
    done(error);
  }
}
