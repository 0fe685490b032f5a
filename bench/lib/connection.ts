/** One keep-alive connection with one request under way: bare bytes, so that the sender costs little. */
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

export type Answer = { status: number; hasRetryAfter: boolean };
/** Null when the connection broke before the answer was complete. */
export type OnAnswer = (answer: Answer | null) => void;

export class Connection {
  readonly #socket: Socket;
  #pending: Buffer | null = null;
  #onAnswer: OnAnswer | null = null;
  #closes = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // 'close' follows.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#finish(null));
  }

  send(request: Buffer, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  /** May another request be sent after this answer? */
  get isOpen(): boolean {
    return !this.#closes && !this.#socket.destroyed;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const data = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = data;
    const end = data.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = data.toString('latin1', 0, end).toLowerCase();
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    const isWhole =
      status === 204 ||
      status === 304 ||
      (length === undefined
        ? data.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
        : data.length >= end + END_OF_HEAD.length + Number(length));
    if (!isWhole) return;
    this.#pending = null;
    this.#closes = head.includes('\r\nconnection: close');
    if (this.#closes) this.#socket.end();
    this.#finish({ status, hasRetryAfter: head.includes('\r\nretry-after: ') });
  }

  #finish(answer: Answer | null): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    onAnswer?.(answer);
  }
}
