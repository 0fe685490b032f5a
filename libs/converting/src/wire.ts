/** The format of jobs and results: messages, each a line of JSON and the bytes that it announces. */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The content type of a request and its response. */
export const JOB_TYPE = 'application/x-karaar-job';

/** The bytes of a message; a file is read while it is sent. */
export type Part = Uint8Array | { path: string };

/** A received message: its parts are read next, in order. */
export type Head = { content: unknown; sizes: readonly number[] };

/** The received bytes are not a message, or are truncated. */
export class WireError extends Error {}

/** The line of a result holds the texts of all pages of a file. */
const LONGEST_LINE = 64 * 1024 * 1024;
const MOST_PARTS = 1_000;
const NEWLINE = 10;

/** Yields a message as bytes. A file must not change meanwhile. */
export async function* messageOf(content: unknown, parts: readonly Part[] = []): AsyncGenerator<Uint8Array> {
  const sizes = await Promise.all(
    parts.map(async (part) => ('path' in part ? (await stat(part.path)).size : part.byteLength)),
  );
  yield Buffer.from(`${JSON.stringify({ content, sizes })}\n`);
  for (const [at, part] of parts.entries()) {
    if ('path' in part) yield* fileBytes(part.path, sizes[at] ?? 0);
    else yield part;
  }
}

async function* fileBytes(path: string, size: number): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>;
}

/** Reads messages from a stream in order: a head, then each of its parts. */
export type Reader = {
  /**
   * Returns undefined at the end of the stream.
   * @throws WireError for bytes that are not a message, or a truncated message
   */
  head: () => Promise<Head | undefined>;
  /** @throws WireError if the stream ends before */
  bytes: (size: number) => Promise<Buffer>;
  /**
   * Writes the next bytes to a new file.
   * @throws WireError if the stream ends before
   */
  toFile: (size: number, path: string) => Promise<void>;
};

/**
 * Returns a reader that takes bytes from the stream only as its calls need them, so that parts are not
 * buffered.
 */
export function createReader(stream: AsyncIterable<Uint8Array>): Reader {
  const source = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  /** Returns the next received piece, undefined at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    if (rest.length > 0) {
      const piece = rest;
      rest = new Uint8Array(0);
      return piece;
    }
    const { done, value } = await source.next();
    return done ? undefined : value;
  }

  async function* take(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      const piece = await next();
      if (piece === undefined) throw new WireError('The stream ended within a message');
      const mine = piece.subarray(0, left);
      rest = piece.subarray(mine.length);
      left -= mine.length;
      yield mine;
    }
  }

  async function line(): Promise<string | undefined> {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length <= LONGEST_LINE;) {
      const piece = await next();
      if (piece === undefined) {
        if (pieces.length === 0) return undefined;
        throw new WireError('The stream ended within a line');
      }
      const end = piece.indexOf(NEWLINE);
      if (end < 0) {
        pieces.push(piece);
        length += piece.length;
        continue;
      }
      rest = piece.subarray(end + 1);
      return Buffer.concat([...pieces, piece.subarray(0, end)]).toString('utf8');
    }
    throw new WireError('A line is too long');
  }

  return {
    async head() {
      const text = await line();
      return text === undefined ? undefined : parseHead(text);
    },
    async bytes(size) {
      const whole = Buffer.allocUnsafeSlow(size);
      let at = 0;
      for await (const piece of take(size)) {
        whole.set(piece, at);
        at += piece.length;
      }
      return whole;
    },
    toFile: (size, path) =>
      pipeline(Readable.from(take(size)), createWriteStream(path, { flags: 'wx', mode: 0o600 })),
  };
}

function parseHead(text: string): Head {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new WireError('A line is not JSON', { cause });
  }
  if (typeof value !== 'object' || value === null || !('content' in value) || !('sizes' in value))
    throw new WireError('A line is not a message');
  const { content, sizes } = value;
  if (!Array.isArray(sizes) || sizes.length > MOST_PARTS || !sizes.every(isSize))
    throw new WireError('A message announces parts of no size');
  return { content, sizes };
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
