import type { Readable } from 'node:stream';
import { Line, LineClosed, type AnswerHandler, type Call } from './line.ts';
import { requestHead, type LineRequest } from './request-head.ts';

export type LinesOptions = {
  /** Where the service listens. */
  url: URL;
  /** Connections at most. */
  max: number;
  connectTimeoutMs: number;
  /** Silence within an answer that counts as dead, in milliseconds. */
  silenceMs: number;
};

/** For which an idle connection is kept when the service does not say; Node's own servers close after 5 s. */
const IDLE_MS = 4_000;
const LOOK_MS = 1_000;

/**
 * The connections to one service. Requests of one turn of the event loop go out together at its end, each on a line of
 * its own; who finds none waits for one.
 *
 * A line is used again only after the event loop has looked at it once more: bytes that came behind its last answer are
 * seen then, and the line is closed rather than taking them for the next answer.
 */
export class Lines {
  readonly #options: LinesOptions;
  readonly #host: string;
  readonly #all = new Set<Line>();
  /** To be used again, the one used last at the end: the others may fall idle. */
  readonly #free: Line[] = [];
  /** Became free since the event loop looked last. */
  readonly #resting: Line[] = [];
  #waiting: Call[] = [];
  #isScheduled = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#host = options.url.host;
  }

  /**
   * Sends a request as soon as there is a line.
   * @param body what follows the head, when `request.hasBody`
   * @throws InvalidRequest
   */
  dispatch(request: LineRequest, body: Readable | null, handler: AnswerHandler): void {
    const head = requestHead(request, this.#host);
    const announced = request.headers.indexOf('content-length');
    const length = announced === -1 ? -1 : Number(request.headers[announced + 1]);
    this.#waiting.push({ head, isHead: request.method === 'HEAD', body, length, handler });
    this.#schedule();
  }

  /** Ends all connections; what is under way on them fails. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const line of this.#all) line.destroy(closing());
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#turn);
  }

  /** The end of a turn of the event loop. */
  readonly #turn = (): void => {
    this.#isScheduled = false;
    const calls = this.#waiting;
    let next = 0;
    for (; next < calls.length; next += 1) {
      const call = calls[next];
      if (call === undefined || call.handler.isOver) continue;
      if (this.#isClosed) {
        call.handler.onAnswerError(closing());
        continue;
      }
      const line = this.#takeFree() ?? this.#open(calls.length - next);
      if (line === undefined) break;
      call.handler.onLine(line);
      line.send(call);
    }
    this.#waiting = next === calls.length ? [] : calls.slice(next);
    for (const line of this.#resting) this.#free.push(line);
    this.#resting.length = 0;
    if (this.#waiting.length > 0 && this.#free.length > 0) this.#schedule();
  };

  /** The one used last that is still open: of a closed one the last event may be yet to come. */
  #takeFree(): Line | undefined {
    let line = this.#free.pop();
    while (line !== undefined && !line.isOpen) line = this.#free.pop();
    return line;
  }

  /** A new line, unless those that rest are enough for all who wait. */
  #open(waiting: number): Line | undefined {
    if (waiting <= this.#resting.length || this.#all.size >= this.#options.max) return undefined;
    const line = new Line({
      url: this.#options.url,
      connectTimeoutMs: this.#options.connectTimeoutMs,
      idleMs: IDLE_MS,
      onFree: this.#onFree,
      onClosed: this.#onClosed,
    });
    this.#all.add(line);
    this.#timer ??= setInterval(this.#look, LOOK_MS).unref();
    return line;
  }

  readonly #onFree = (line: Line): void => {
    this.#resting.push(line);
    this.#schedule();
  };

  readonly #onClosed = (line: Line): void => {
    this.#all.delete(line);
    for (const list of [this.#free, this.#resting]) {
      const at = list.indexOf(line);
      if (at !== -1) list.splice(at, 1);
    }
    // There is room for another one.
    if (this.#waiting.length > 0) this.#schedule();
  };

  readonly #look = (): void => {
    for (const line of this.#all) line.look(LOOK_MS, this.#options.silenceMs);
  };
}

const closing = () => new LineClosed('The gateway is closing');
