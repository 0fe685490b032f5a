import {
  isField,
  MalformedAnswer,
  parseAnswerHead,
  type AnswerHead,
  type AnswerHeaders,
} from './answer-head.ts';

/** What is told of an answer while it is read. */
export type AnswerEvents = {
  /** The head of the answer proper; interim answers (1xx) are passed over. */
  onAnswerHead(status: number, headers: AnswerHeaders): void;
  /** A part of the body. The memory is lent for the time of the call. */
  onAnswerData(chunk: Buffer): void;
};

/** Bytes of a head, or of all trailers; what Node itself takes. */
const MAX_HEAD = 16_384;
/** Characters of a line that announces a chunk; whatever stands behind the size is no concern of ours. */
const MAX_SIZE_LINE = 256;
const SIZE_LINE = /^([0-9A-Fa-f]{1,8})(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=[!#$%&'*+\-.^_`|~0-9A-Za-z]+)?)*$/;
const END_OF_HEAD = '\r\n\r\n';
const LF = 10;

type State = 'head' | 'length' | 'close' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'complete';

/**
 * Reads the answers of one connection, one after the other, as their bytes come in (RFC 9112 §6). Strict: an answer that
 * two readers could understand differently is refused, and its connection with it.
 */
export class AnswerReader {
  #state: State = 'complete';
  #events: AnswerEvents | null = null;
  #bodiless = false;
  /** Of the head or a line of the framing, until all of it is here. */
  #pending = '';
  #trailerBytes = 0;
  /** Bytes of the body, or of the chunk, still to come. */
  #left = 0;
  #persistent = true;
  #keptMs = -1;

  /** @param isHead the request is a HEAD, whose answer has a length and no body */
  begin(events: AnswerEvents, isHead: boolean): void {
    this.#events = events;
    this.#bodiless = isHead;
    this.#state = 'head';
    this.#persistent = true;
    this.#keptMs = -1;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Is the body under way? */
  get isInBody(): boolean {
    return this.#state !== 'complete' && this.#state !== 'head';
  }

  /** The end of the connection is the end of this answer. */
  get endsWithConnection(): boolean {
    return this.#state === 'close';
  }

  /** May the connection be used again after this answer? */
  get persistent(): boolean {
    return this.#persistent;
  }

  /** For how long an idle connection is kept by the service, in milliseconds; -1 when it did not say. */
  get keptMs(): number {
    return this.#keptMs;
  }

  /** Nobody listens any more. */
  stop(): void {
    this.#state = 'complete';
    this.#events = null;
    this.#pending = '';
  }

  /**
   * Takes the next bytes of the connection.
   * @returns how many of them belong to the answer; fewer than `end` once it is complete and something follows
   * @throws MalformedAnswer
   */
  read(bytes: Buffer, end: number): number {
    let at = 0;
    while (at < end && this.#state !== 'complete') at = this.#step(bytes, at, end);
    return at;
  }

  #step(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at, end);
      case 'length':
      case 'chunk':
        return this.#readBody(bytes, at, end);
      case 'close':
        this.#events?.onAnswerData(bytes.subarray(at, end));
        return end;
      default:
        return this.#readLine(bytes, at, end);
    }
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const before = this.#pending.length;
    // A head is short: of a large read only as much is looked at as can be one.
    const text = bytes.toString('latin1', at, Math.min(end, at + MAX_HEAD + 4 - before));
    const all = before === 0 ? text : this.#pending + text;
    const found = all.indexOf(END_OF_HEAD, Math.max(0, before - 3));
    if (found === -1 || found > MAX_HEAD) {
      if (all.length > MAX_HEAD) throw new MalformedAnswer('The head of the answer is too long');
      this.#pending = all;
      return end;
    }
    this.#pending = '';
    this.#begin(parseAnswerHead(all.slice(0, found + 2)));
    return at + found + 4 - before;
  }

  #begin(head: AnswerHead): void {
    const { status, headers, length, chunked } = head;
    // Nothing of ours asks to go on with a body or to change the protocol.
    if (status === 100 || status === 101) throw new MalformedAnswer('The service answers what was not asked');
    if (status < 200) {
      if (length !== -1 || chunked || !head.persistent)
        throw new MalformedAnswer('An interim answer has no body and ends nothing');
      return;
    }
    this.#keptMs = head.keptMs;
    this.#persistent = head.persistent;
    if (this.#bodiless || status === 204 || status === 304) {
      // What announces a body here may send one as well, which would pass for the next answer.
      if (!this.#bodiless && (length > 0 || chunked)) this.#persistent = false;
      this.#state = 'complete';
    } else if (chunked) {
      this.#state = 'size';
      this.#trailerBytes = 0;
    } else if (length === -1) {
      this.#persistent = false;
      this.#state = 'close';
    } else {
      this.#left = length;
      this.#state = length === 0 ? 'complete' : 'length';
    }
    this.#events?.onAnswerHead(status, headers);
  }

  #readBody(bytes: Buffer, at: number, end: number): number {
    const until = Math.min(end, at + this.#left);
    this.#left -= until - at;
    if (this.#left === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'complete';
    this.#events?.onAnswerData(bytes.subarray(at, until));
    return until;
  }

  /** The lines around chunks, which may come in pieces. */
  #readLine(bytes: Buffer, at: number, end: number): number {
    const feed = bytes.indexOf(LF, at);
    const until = feed === -1 || feed >= end ? end : feed + 1;
    this.#pending += bytes.toString('latin1', at, until);
    if (this.#pending.length > (this.#state === 'trailers' ? MAX_HEAD : MAX_SIZE_LINE))
      throw new MalformedAnswer('A line between the parts of the answer is too long');
    if (until === end && bytes[until - 1] !== LF) return until;
    const line = this.#pending;
    this.#pending = '';
    if (!line.endsWith('\r\n')) throw new MalformedAnswer('A line of the answer ends without a return');
    this.#takeLine(line.slice(0, -2));
    return until;
  }

  #takeLine(line: string): void {
    if (this.#state === 'size') {
      const size = SIZE_LINE.exec(line)?.[1];
      if (size === undefined) throw new MalformedAnswer('A part of the answer has no size');
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'chunk';
    } else if (this.#state === 'chunk-end') {
      if (line !== '') throw new MalformedAnswer('A part of the answer is longer than its size');
      this.#state = 'size';
    } else if (line === '') {
      this.#state = 'complete';
    } else {
      // Trailers are dropped: nothing that comes after a body may change what was said before it.
      this.#trailerBytes += line.length + 2;
      if (!isField(line)) throw new MalformedAnswer('The answer has a trailer that is no header');
      if (this.#trailerBytes > MAX_HEAD) throw new MalformedAnswer('The answer has too many trailers');
    }
  }
}
