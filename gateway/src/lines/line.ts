import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { AnswerReader, type AnswerEvents } from './answer-reader.ts';
import { BodySender } from './body-sender.ts';
import { openConnection, readyEvent } from './connection.ts';

/** Who sent a request over a line, and is told what comes of it: in the end either `onAnswerEnd` or `onAnswerError`. */
export type AnswerHandler = AnswerEvents & {
  /** The request is no longer wanted: it takes no line. */
  readonly isOver: boolean;
  /** A line is there, over which the request goes out next. */
  onLine(line: Line): void;
  /** A part of the body is with the system. */
  onBodySent(): void;
  /** All of the request is with the system. */
  onRequestSent(): void;
  onAnswerEnd(): void;
  /** The connection broke, was never there, or did not speak HTTP. */
  onAnswerError(error: Error): void;
};

/** The service closed the connection before the answer was complete. */
export class LineClosed extends Error {
  readonly code = 'ECONNRESET';
}

/** A request as a line takes it. */
export type Call = {
  /** Head of the request, complete. */
  head: string;
  isHead: boolean;
  body: Readable | null;
  /** Bytes of the body; -1 when it goes out in chunks. */
  length: number;
  handler: AnswerHandler;
};

class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';
}

export type LineOptions = {
  url: URL;
  connectTimeoutMs: number;
  /** Milliseconds for which an idle line is kept when the service does not say. */
  idleMs: number;
  /** The line may take the next request. */
  onFree: (line: Line) => void;
  onClosed: (line: Line) => void;
};

/** An idle line is given up this long before the service would close it. */
const MARGIN_MS = 2_000;

/** One connection to a service: one request at a time, the next one only when the answer is complete. */
export class Line {
  readonly #options: LineOptions;
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  readonly #connectTimer: NodeJS.Timeout;
  #handler: AnswerHandler | null = null;
  #sender: BodySender | null = null;
  #error: Error | null = null;
  #paused = false;
  /** Looks of the pool since something last happened here. */
  #quietLooks = 0;
  #idleMs: number;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#idleMs = options.idleMs;
    this.#socket = openConnection(options.url, this.#onBytes);
    this.#connectTimer = setTimeout(
      () => this.destroy(new ConnectTimeout('The service did not take the connection in time')),
      options.connectTimeoutMs,
    ).unref();
    this.#socket.once(readyEvent(options.url), () => clearTimeout(this.#connectTimer));
    this.#socket.on('error', (error) => (this.#error ??= error));
    // Half a connection is of no use: nothing can be answered on it any more.
    this.#socket.on('end', () => this.#socket.destroy());
    this.#socket.on('close', this.#onClose);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Sends a request; the line must be free. */
  send({ head, isHead, body, length, handler }: Call): void {
    this.#handler = handler;
    this.#quietLooks = 0;
    this.#reader.begin(handler, isHead);
    if (body === null) {
      this.#socket.write(head, 'latin1');
      handler.onRequestSent();
      return;
    }
    this.#sender = new BodySender(this.#socket, head, body, length, handler);
  }

  /** Gives the request under way up; its handler hears nothing more. */
  abort(): void {
    this.#release();
    this.#socket.destroy();
  }

  /** The browser takes no more for now. */
  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#quietLooks = 0;
    this.#socket.resume();
  }

  /** Ends the line with all that is on it. */
  destroy(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  /**
   * Looked at once per interval: an idle line goes before the service closes it, and so does one whose answer stands
   * still without our holding it back.
   */
  look(everyMs: number, silenceMs: number): void {
    this.#quietLooks = this.#paused ? 0 : this.#quietLooks + 1;
    const quietMs = this.#quietLooks * everyMs;
    if (this.#handler === null) {
      if (quietMs >= this.#idleMs) this.#socket.destroy();
    } else if (this.#reader.isInBody && quietMs > silenceMs) {
      this.destroy(new LineClosed('The service fell silent within its answer'));
    }
  }

  readonly #onBytes = (count: number, bytes: Uint8Array): boolean => {
    const handler = this.#handler;
    this.#quietLooks = 0;
    if (handler === null) {
      // Nobody asked: whatever it is, it would pass for the answer to the next request.
      this.#socket.destroy();
      return true;
    }
    let used: number;
    try {
      // The very buffer of `openConnection`; the types of `onread` call it less than it is.
      used = this.#reader.read(bytes as Buffer, count);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
      return true;
    }
    if (this.#handler === handler && this.#reader.isComplete) this.#finish(handler, used === count);
    return true;
  };

  /** @param clean nothing followed the answer */
  #finish(handler: AnswerHandler, clean: boolean): void {
    const sentAll = this.#sender === null || this.#sender.isDone;
    const { persistent, keptMs } = this.#reader;
    this.#release();
    this.resume();
    if (keptMs !== -1) this.#idleMs = keptMs - MARGIN_MS;
    handler.onAnswerEnd();
    if (clean && sentAll && persistent && this.#idleMs > 0) this.#options.onFree(this);
    else this.#socket.destroy();
  }

  /** Forgets the request that was under way. */
  #release(): void {
    this.#handler = null;
    this.#sender?.stop();
    this.#sender = null;
    this.#reader.stop();
  }

  readonly #onClose = (): void => {
    clearTimeout(this.#connectTimer);
    const handler = this.#handler;
    const isWhole = this.#error === null && this.#reader.endsWithConnection;
    this.#release();
    this.#options.onClosed(this);
    if (handler === null) return;
    if (isWhole) handler.onAnswerEnd();
    else handler.onAnswerError(this.#error ?? new LineClosed('The service closed the connection'));
  };
}
