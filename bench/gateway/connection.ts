import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** A keep-alive connection for one request at a time. A sender with more work would slow down the proxies on two cores. */
export class Connection {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #onStatus: (status: number) => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // 'close' follows.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#onStatus(0));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** @returns the status of the complete answer; 0 when the connection broke before */
  send(request: Buffer): Promise<number> {
    this.#socket.write(request);
    return new Promise((resolve) => (this.#onStatus = resolve));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = data;
    const end = data.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = data.toString('latin1', 0, end).toLowerCase();
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    const isWhole =
      length === undefined
        ? data.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
        : data.length >= end + END_OF_HEAD.length + Number(length);
    if (!isWhole) return;
    this.#pending = Buffer.alloc(0);
    if (head.includes('\r\nconnection: close')) this.#socket.destroy();
    this.#onStatus(Number(head.slice(9, 12)));
  }
}
