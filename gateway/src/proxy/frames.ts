/** Websocket frames (RFC 6455 §5) as far as somebody needs to know them who puts one between those of another. */

const TEXT = 1;
const CONTINUATION = 0;
const FINAL = 0x80;
const CLOSE = 0x88;
/** Close status 1012: the service restarts (IANA's registry of close codes). */
const SERVICE_RESTART = 1012;
const HEAD_END = Buffer.from('\r\n\r\n');
/** Two bytes, up to eight of a long length, four of a mask. */
const MAX_HEADER_BYTES = 14;

/** A whole text message in one frame, as a server sends it: not masked. @param text at most 125 bytes */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([FINAL | TEXT, payload.length]), payload]);
}

/** Says goodbye as a server that restarts. */
export function restartFrame(): Buffer {
  const frame = Buffer.from([CLOSE, 2, 0, 0]);
  frame.writeUInt16BE(SERVICE_RESTART, 2);
  return frame;
}

/**
 * Follows the bytes that a server sends after an upgrade, and knows where one message ends and no other has begun: the
 * only places where a frame can be put between them.
 */
export class FrameBoundaries {
  /** The answer to the upgrade is still coming. */
  #head = Buffer.alloc(0);
  #inHead = true;
  readonly #header = Buffer.alloc(MAX_HEADER_BYTES);
  #headerLength = 0;
  #payloadLeft = 0;
  #messageOpen = false;

  /** Whether a frame can be put after all that was fed. */
  get atBoundary(): boolean {
    return !this.#inHead && this.#headerLength === 0 && this.#payloadLeft === 0 && !this.#messageOpen;
  }

  /** Takes the next bytes. @returns after how many of them there is the first place for a frame, -1 when in none */
  feed(chunk: Buffer): number {
    let at = this.#inHead ? this.#skipHead(chunk) : 0;
    let first = this.atBoundary ? at : -1;
    while (at < chunk.length) {
      const step = this.#payloadLeft > 0 ? Math.min(this.#payloadLeft, chunk.length - at) : 1;
      if (this.#payloadLeft > 0) this.#payloadLeft -= step;
      else this.#readHeader(chunk[at] ?? 0);
      at += step;
      if (first === -1 && this.atBoundary) first = at;
    }
    return first;
  }

  #skipHead(chunk: Buffer): number {
    const before = this.#head.length;
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return chunk.length;
    this.#inHead = false;
    this.#head = Buffer.alloc(0);
    return end + HEAD_END.length - before;
  }

  #readHeader(byte: number): void {
    this.#header[this.#headerLength] = byte;
    this.#headerLength += 1;
    if (this.#headerLength < 2) return;
    const [first = 0, second = 0] = this.#header;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#headerLength < 2 + lengthBytes + maskBytes) return;
    this.#payloadLeft =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? this.#header.readUInt16BE(2)
          : Number(this.#header.readBigUInt64BE(2));
    this.#headerLength = 0;
    const opcode = first & 0x0f;
    // Control frames may come in the middle of a message and do not end it.
    if (opcode === CONTINUATION || opcode <= 2) this.#messageOpen = (first & FINAL) === 0;
  }
}
