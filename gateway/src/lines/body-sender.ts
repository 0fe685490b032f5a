import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Who is told how far a body has come. */
export type BodyProgress = { onBodySent(): void; onRequestSent(): void };

/** Sends a request with a body, at the pace of the service. */
export class BodySender {
  readonly #socket: Socket;
  readonly #body: Readable;
  readonly #progress: BodyProgress;
  readonly #isChunked: boolean;
  #left: number;
  #isDone = false;

  /** @param length bytes of the body; -1: it goes out in chunks */
  constructor(socket: Socket, head: string, body: Readable, length: number, progress: BodyProgress) {
    this.#socket = socket;
    this.#body = body;
    this.#progress = progress;
    this.#isChunked = length === -1;
    this.#left = length;
    // What of the body is here already goes out together with the head.
    socket.cork();
    socket.write(head, 'latin1');
    setImmediate(() => socket.uncork());
    socket.on('drain', this.#onDrain);
    body.on('data', this.#onData);
    body.on('end', this.#onEnd);
  }

  /** All of it is with the system. */
  get isDone(): boolean {
    return this.#isDone;
  }

  stop(): void {
    this.#socket.off('drain', this.#onDrain);
    this.#body.off('data', this.#onData);
    this.#body.off('end', this.#onEnd);
  }

  readonly #onDrain = (): void => void this.#body.resume();

  readonly #onData = (chunk: Buffer): void => {
    const socket = this.#socket;
    if (this.#isChunked) {
      socket.cork();
      socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
    } else {
      this.#left -= chunk.length;
      // More than was announced would be the beginning of a request that nobody has checked.
      if (this.#left < 0) return void socket.destroy(new Error('The body is longer than announced'));
    }
    let room = socket.write(chunk);
    if (this.#isChunked) {
      room = socket.write('\r\n', 'latin1');
      socket.uncork();
    }
    this.#progress.onBodySent();
    if (!room) this.#body.pause();
  };

  readonly #onEnd = (): void => {
    if (this.#isChunked) this.#socket.write('0\r\n\r\n', 'latin1');
    else if (this.#left > 0)
      return void this.#socket.destroy(new Error('The body is shorter than announced'));
    this.#isDone = true;
    this.#progress.onRequestSent();
  };
}
