/** Connections to a service that answers byte by byte as the test says. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerHandler, Line } from './line.ts';
import { Lines } from './lines.ts';
import { InvalidRequest } from './request-head.ts';

type Asked = { status: number; body: string; sent: boolean };

/** A handler as a promise. */
class Answer implements AnswerHandler {
  isOver = false;
  line: Line | undefined;
  status = 0;
  body = '';
  sent = false;
  readonly whole: Promise<Asked>;
  #resolve: (asked: Asked) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor() {
    this.whole = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.whole.catch(() => undefined);
  }

  onLine(line: Line): void {
    this.line = line;
  }
  onBodySent(): void {}
  onRequestSent(): void {
    this.sent = true;
  }
  onAnswerHead(status: number): void {
    this.status = status;
  }
  onAnswerData(chunk: Buffer): void {
    this.body += chunk.toString('latin1');
  }
  onAnswerEnd(): void {
    this.#resolve({ status: this.status, body: this.body, sent: this.sent });
  }
  onAnswerError(error: Error): void {
    this.#reject(error);
  }
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

let server: Server;
let port = 0;
let lines: Lines;
/** All connections that were opened, and what came over them. */
let sockets: Socket[] = [];
let received = '';
let onRequest: (socket: Socket, data: string) => void = () => undefined;

const start = (options: { max?: number; silenceMs?: number } = {}) => {
  const { max = 10, silenceMs = 60_000 } = options;
  lines = new Lines({ url: new URL(`http://127.0.0.1:${port}`), max, connectTimeoutMs: 1_000, silenceMs });
};

beforeEach(async () => {
  sockets = [];
  received = '';
  onRequest = (socket) => void socket.write(OK);
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      onRequest(socket, data.toString('latin1'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  start();
});
afterEach(() => {
  lines.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

type Ask = { method?: string; path?: string; headers?: string[]; body?: Readable };
function send({ method = 'GET', path = '/x', headers = [], body }: Ask = {}): Answer {
  const answer = new Answer();
  lines.dispatch({ method, path, headers, hasBody: body !== undefined }, body ?? null, answer);
  return answer;
}
const ask = (what?: Ask) => send(what).whole;

describe('a line', () => {
  it('is used again, one request after the other, and no more are opened than needed', async () => {
    for (let i = 0; i < 5; i += 1) expect(await ask()).toEqual({ status: 200, body: 'ok', sent: true });
    expect(sockets).toHaveLength(1);
    await Promise.all([ask(), ask(), ask()]);
    expect(sockets).toHaveLength(3);
  });

  it('is waited for when as many are open as may be', async () => {
    start({ max: 2 });
    let most = 0;
    let now = 0;
    onRequest = (socket) => {
      most = Math.max(most, (now += 1));
      setTimeout(() => {
        now -= 1;
        socket.write(OK);
      }, 20);
    };
    const unwanted = Array.from({ length: 5 }, () => send());
    const given = send();
    given.isOver = true;
    await Promise.all(unwanted.map(({ whole }) => whole));
    expect([sockets.length, most, given.line]).toEqual([2, 2, undefined]);
  });

  it.each([
    ['at once', (socket: Socket) => socket.write(`${OK}${OK}`)],
    ['later', (socket: Socket) => socket.write(OK, () => setImmediate(() => socket.write(OK)))],
  ])(
    'on which more comes than was asked for, %s, is closed: it is the answer to nothing',
    async (_when, reply) => {
      onRequest = reply;
      await ask();
      await sleep(50);
      expect(sockets.map((socket) => socket.closed)).toEqual([true]);
      onRequest = (socket) => void socket.write(OK.replace('ok', 'me'));
      expect(await ask()).toMatchObject({ body: 'me' });
    },
  );

  it('that the service has closed takes no further request', async () => {
    onRequest = (socket) => socket.end(OK);
    for (let i = 0; i < 20; i += 1) expect(await ask({ method: 'POST' })).toMatchObject({ body: 'ok' });
  });

  it('ends with an answer that lasts until it ends, and the answer is cut where the line breaks', async () => {
    onRequest = (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it');
    expect(await ask()).toMatchObject({ body: 'all of it' });
    onRequest = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhalf');
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is closed with a service that does not speak HTTP', async () => {
    onRequest = (socket) => void socket.write('SSH-2.0-OpenSSH\r\n\r\n');
    await expect(ask()).rejects.toMatchObject({ code: 'MALFORMED_ANSWER' });
    await sleep(20);
    expect(sockets[0]?.closed).toBe(true);
  });

  it('is given up before the service would close it, and when an answer stands still', async () => {
    start({ silenceMs: 900 });
    onRequest = (socket) => void socket.write(OK.replace('OK\r\n', 'OK\r\nkeep-alive: timeout=3\r\n'));
    await ask();
    onRequest = (socket) => void socket.write(OK.replace(': 2', ': 3'));
    const held = send();
    const still = send().whole;
    await once(server, 'connection');
    await sleep(100);
    held.line?.pause();
    await expect(still).rejects.toThrow('silent');
    // Whom we hold back ourselves is not silent.
    await sleep(1_500);
    expect(sockets.map((socket) => socket.closed)).toEqual([true, false]);
    held.line?.abort();
    onRequest = (socket) => void socket.write(OK.replace('OK\r\n', 'OK\r\nkeep-alive: timeout=3\r\n'));
    await ask();
    await sleep(2_300);
    expect(sockets.map((socket) => socket.closed)).toEqual([true, true, true]);
  }, 10_000);

  it('that is given up aborts the work of the service', async () => {
    onRequest = () => undefined;
    const answer = send();
    await once(server, 'connection');
    answer.line?.abort();
    await once(sockets[0]!, 'close');
  });

  it('to nobody fails, and so does everything once all is closed', async () => {
    lines.close();
    await expect(ask()).rejects.toThrow('closing');
    server.close();
    start();
    await once(
      server.on('close', () => undefined),
      'close',
    );
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a request', () => {
  it('has a head, and says that it has no body where one would be expected', async () => {
    await ask({ path: '/a?b=%20', headers: ['x-a', '1', 'x-b', '\xe9'] });
    const host = `127.0.0.1:${port}`;
    expect(received).toBe(
      `GET /a?b=%20 HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nx-a: 1\r\nx-b: \xe9\r\n\r\n`,
    );
    await ask({ method: 'POST' });
    expect(received).toMatch(/POST \/x HTTP\/1.1\r\n.*\r\ncontent-length: 0\r\n\r\n$/s);
  });

  it('sends a body as it was announced, or in chunks', async () => {
    onRequest = (socket) => void (/(body|0\r\n\r\n)$/.test(received) && socket.write(OK));
    const head = ['content-length', '4'];
    expect(
      await ask({ method: 'POST', headers: head, body: Readable.from([Buffer.from('body')]) }),
    ).toMatchObject({ sent: true });
    expect(received).toMatch(/\r\ncontent-length: 4\r\n\r\nbody$/);
    await ask({ method: 'POST', body: Readable.from([Buffer.from('some'), Buffer.from('thing else')]) });
    expect(received).toMatch(
      /\r\ntransfer-encoding: chunked\r\n\r\n4\r\nsome\r\na\r\nthing else\r\n0\r\n\r\n$/,
    );
    expect(sockets).toHaveLength(1);
  });

  it.each([['bodyGET /secret HTTP/1.1\r\n\r\n'], ['bo']])(
    'whose body is not as announced never ends as one: %j',
    async (body) => {
      onRequest = () => undefined;
      const headers = ['content-length', '4'];
      await expect(
        ask({ method: 'POST', headers, body: Readable.from([Buffer.from(body)]) }),
      ).rejects.toThrow('announced');
      expect(received).not.toContain('secret');
    },
  );

  it('that is answered before it was sent leaves no line behind that waits for the rest', async () => {
    onRequest = (socket) => void socket.write(OK);
    const body = new Readable({ read: () => undefined });
    body.push('half');
    expect(await ask({ method: 'POST', headers: ['content-length', '8'], body })).toEqual({
      status: 200,
      body: 'ok',
      sent: false,
    });
    await sleep(20);
    expect(sockets[0]?.closed).toBe(true);
  });

  it.each([
    { path: '/a b' },
    { path: '/a\r\nx: y' },
    { path: 'http://elsewhere/' },
    { path: '/\u0100' },
    { method: 'GET /\r\n' },
    { headers: ['x\r\ny', '1'] },
    { headers: ['x', '1\r\ny: 2'] },
    { headers: ['x', '1\n'] },
    { headers: ['x', '\0'] },
    { headers: ['', 'a'] },
  ])('with a character that would make another one of it is not sent: %j', (what) => {
    expect(() => send(what)).toThrow(InvalidRequest);
  });
});
