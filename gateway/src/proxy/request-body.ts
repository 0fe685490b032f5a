import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a browser's request on its way to a service. It passes chunks on at the pace of the slower
 * side and holds none back. Unlike the request itself it may be destroyed when the service goes away:
 * the browser's connection stays usable for the error answer.
 */
export class RequestBody extends Readable {
  readonly #req: IncomingMessage;
  readonly #onTooLarge: () => void;
  #left: number;

  /** @param onTooLarge told when a body that did not declare its length goes beyond `maxBytes` */
  constructor(req: IncomingMessage, maxBytes: number, onTooLarge: () => void) {
    super({ highWaterMark: 64 * 1024 });
    this.#req = req;
    this.#left = maxBytes;
    this.#onTooLarge = onTooLarge;
    req.on('data', this.#onData);
    req.on('end', this.#onEnd);
    req.on('close', this.#onClose);
    req.pause();
    // The client library listens only while it sends; a later fault concerns nobody.
    this.on('error', () => undefined);
  }

  /** Nothing is buffered here: the service takes data, the browser sends none. */
  get waitsForBrowser(): boolean {
    return this.readableLength === 0 && !this.#req.complete;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#left -= chunk.length;
    if (this.#left < 0) this.#onTooLarge();
    else if (!this.push(chunk)) this.#req.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    if (!this.#req.complete) this.destroy(new Error('The browser went away while sending'));
  };

  override _read(): void {
    this.#req.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#req.off('data', this.#onData);
    this.#req.off('end', this.#onEnd);
    this.#req.off('close', this.#onClose);
    done(error);
  }
}
