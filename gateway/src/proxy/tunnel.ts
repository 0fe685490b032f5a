import type { Socket } from 'node:net';
import { FrameBoundaries, restartFrame, textFrame } from './frames.ts';

/** Milliseconds that a goodbye may take. */
const GOODBYE_MS = 500;

/** `server.leaving` (libs/contracts/messaging/live.ts) as socket.io writes it: a message (4) that is an event (2). */
const leavingPacket = (withinMs: number) =>
  textFrame(`42${JSON.stringify(['server.leaving', { within_ms: withinMs }])}`);

/**
 * The two ends of a websocket that passes through. Bytes go either way at the pace of the slower side; what this process
 * has to say itself goes between two messages of the service.
 */
export class Tunnel {
  readonly #browser: Socket;
  readonly #boundaries = new FrameBoundaries();
  /** To be said at the next place between two messages. */
  #waiting: Buffer | null = null;
  #ends = false;

  constructor(browser: Socket, service: Socket) {
    this.#browser = browser;
    browser.pipe(service);
    service.on('data', (chunk: Buffer) => {
      if (!this.#pass(chunk)) service.pause();
    });
    browser.on('drain', () => service.resume());
    service.on('end', () => browser.end());
  }

  /** Has the browser's page open a new socket, at another gateway, within this time. */
  tellLeaving(withinMs: number): void {
    this.#say(leavingPacket(withinMs));
  }

  /** Ends it with a goodbye that browsers take for a restart, not for a fault. */
  end(): void {
    this.#ends = true;
    this.#say(restartFrame());
    // A message of the service that never ends must not keep the process.
    setTimeout(() => this.#browser.destroy(), GOODBYE_MS).unref();
  }

  #say(frame: Buffer): void {
    this.#waiting = frame;
    if (this.#boundaries.atBoundary) this.#speak();
  }

  #speak(): void {
    if (this.#waiting === null) return;
    this.#browser.write(this.#waiting);
    this.#waiting = null;
    if (this.#ends) this.#browser.destroySoon();
  }

  #pass(chunk: Buffer): boolean {
    const place = this.#boundaries.feed(chunk);
    if (this.#waiting === null || place === -1) return this.#browser.write(chunk);
    this.#browser.write(chunk.subarray(0, place));
    this.#speak();
    return this.#ends || this.#browser.write(chunk.subarray(place));
  }
}
