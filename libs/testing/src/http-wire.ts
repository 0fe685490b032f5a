/** HTTP/1.1 over a raw socket: sends any bytes, and parses the responses without interpretation. */
import { connect, type Socket } from 'node:net';

export type WireAnswer = {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

export type Answers = {
  /** Complete final responses; of 1xx only 101. */
  answers: WireAnswer[];
  /** The bytes after the last response: empty, a partial response, or bytes that are not a response. */
  rest: Buffer;
};

const END_OF_HEAD = '\r\n\r\n';

/**
 * Parses the responses on a connection.
 * @param firstHasNoBody the first one answers a HEAD
 * @param ended the connection is closed: a response without a length ends with it
 */
export function answersIn(bytes: Buffer, { firstHasNoBody = false, ended = false } = {}): Answers {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(END_OF_HEAD);
    if (end === -1 || rest.toString('latin1', 0, 5) !== 'HTTP/') return { answers, rest };
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const after = rest.subarray(end + END_OF_HEAD.length);
    if (status < 200 && status !== 101) {
      rest = after;
      continue;
    }
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodiless = status === 101 || status === 204 || status === 304;
    // The rejection of unreadable bytes has a body, even if they began as a HEAD.
    const ofHead = firstHasNoBody && answers.length === 0 && (after.length === 0 || isAnswer(after));
    const body = bodiless || ofHead ? { body: Buffer.alloc(0), rest: after } : bodyOf(headers, after, ended);
    if (body === undefined) return { answers, rest };
    answers.push({ status, headers, body: body.body });
    rest = body.rest;
  }
}

const isAnswer = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === 'HTTP/';

function bodyOf(
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  ended: boolean,
): { body: Buffer; rest: Buffer } | undefined {
  if (headers['transfer-encoding'] !== undefined) return chunksOf(bytes);
  const length = headers['content-length'];
  if (length === undefined) return ended ? { body: bytes, rest: Buffer.alloc(0) } : undefined;
  const size = Number(length);
  return bytes.length < size ? undefined : { body: bytes.subarray(0, size), rest: bytes.subarray(size) };
}

function chunksOf(bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    const from = end + 2;
    if (!(from + size + 2 <= bytes.length)) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), rest: bytes.subarray(from + 2) };
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}

/** A connection on which the test controls every byte. */
export type Wire = {
  /** Text is sent as Latin-1: a character is a byte. */
  write(bytes: string | Buffer): void;
  /** Closes the sending side; responses may still arrive. */
  end(): void;
  readonly received: Buffer;
  /** Drops the received bytes, before the next request on a keep-alive connection. */
  forget(): void;
  /** The other side has closed the connection, or it broke. */
  readonly isClosed: boolean;
  /** Waits until a check holds, repeating it at each arrival. @returns true if it held in time */
  until(check: () => boolean, timeoutMs: number): Promise<boolean>;
  close(): void;
};

/**
 * Opens a connection. @param localAddress source address, on machines where all of 127.0.0.0/8 is loopback
 */
export async function openWire(url: string, localAddress?: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({
    port: Number(port),
    host: hostname,
    noDelay: true,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  const parts: Buffer[] = [];
  let closed = false;
  let look: () => void = () => undefined;
  socket.on('data', (chunk) => {
    parts.push(chunk);
    look();
  });
  const over = () => {
    closed = true;
    look();
  };
  socket.on('end', over);
  socket.on('close', over);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  // The following 'close' event is enough.
  socket.on('error', () => undefined);
  return {
    write: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    end: () => void socket.end(),
    get received() {
      return Buffer.concat(parts);
    },
    forget: () => void parts.splice(0),
    get isClosed() {
      return closed;
    },
    until: (check, timeoutMs) =>
      new Promise((resolve) => {
        if (check()) return void resolve(true);
        const settle = (held: boolean) => {
          clearTimeout(timer);
          look = () => undefined;
          resolve(held);
        };
        const timer = setTimeout(() => settle(check()), timeoutMs);
        look = () => {
          if (check()) settle(true);
        };
      }),
    close: () => void socket.destroy(),
  };
}
