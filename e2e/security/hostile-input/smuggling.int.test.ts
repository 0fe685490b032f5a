/** Requests that two parsers may read differently: at the gateway, and at one that takes them as they come. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { testRedis } from '@karaar/testing/harness';
import { answersIn } from '@karaar/testing/http-wire';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import { attack, someOf, told, type Fault } from './smuggling/attack.ts';
import { corpus } from './smuggling/corpus.ts';
import { recordedField } from './smuggling/fields.ts';
import { startRecorder, type Echo } from './smuggling/recorder.ts';
import { requestsIn } from './smuggling/strict-requests.ts';

it('the corpus has at least a thousand framings, of every family that is known', () => {
  const all = corpus();
  expect(all.length).toBeGreaterThanOrEqual(1_000);
  const families = new Set(all.map(({ family }) => family));
  for (const family of [
    'both lengths',
    'two lengths',
    'odd encoding',
    'behind a size',
    'trailer',
    'early end',
  ])
    expect(families).toContain(family);
  for (const family of ['pipeline', 'upgrade', 'expect', 'names, with chunks', 'target', 'HTTP/1.0'])
    expect(families).toContain(family);
});

it('every tenth framing, at the gateway: each answer is of who asked, each request at the service of who sent it', async () => {
  const field = await recordedField(await testRedis());
  try {
    // Names as values are what once worked: all of them that could.
    const once = corpus().filter(({ name }) => /^names.*: content-length/.test(name));
    const counters = await attack(field, [...someOf(corpus(), 10), ...once], Date.now() + 60_000);
    expect(told(counters)).toEqual([]);
  } finally {
    await field.stop();
  }
}, 90_000);

it('the attack finds a gateway that goes by the length and leaves its service the chunks', async () => {
  const tokens = await startTokenIssuer();
  const recorder = await startRecorder(tokens.jwksUrl);
  const service = connect(Number(new URL(recorder.url).port), '127.0.0.1');
  let waiting: ((answer: Buffer) => void)[] = [];
  let pending: Buffer = Buffer.alloc(0);
  service.on('data', (chunk) => {
    const { answers, rest } = answersIn(Buffer.concat([pending, chunk]));
    pending = rest;
    for (const { body } of answers) waiting.shift()?.(body);
  });
  const sockets: Socket[] = [service];
  const naive = createServer((socket) => {
    sockets.push(socket);
    let bytes = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1');
      const end = bytes.indexOf('\r\n\r\n');
      const length = Number(/content-length: *(\d+)/i.exec(bytes.slice(0, end))?.[1] ?? 0);
      if (end === -1 || bytes.length < end + 4 + length) return;
      waiting.push((body) =>
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body.toString('latin1')}`),
      );
      const forwarded = bytes.slice(0, end + 4 + length).replace(/content-length:[^\r]*\r\n/i, '');
      service.write(forwarded.replace('/api/', '/'), 'latin1');
      bytes = '';
    });
  });
  await new Promise<void>((resolve) => naive.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(naive.address() as AddressInfo).port}`;
  let asked = 0;
  const ordinary = async (): Promise<Fault[]> => {
    const path = `/users/profile?mark=o${(asked += 1)}z`;
    try {
      const answer = await fetch(`${url}/api${path}`, { signal: AbortSignal.timeout(300) });
      const { url: of } = (await answer.json()) as Echo;
      return of === path ? [] : [{ kind: 'foreign answer', what: `of ${of}` }];
    } catch (error) {
      return [{ kind: 'ordinary request failed', what: String(error) }];
    }
  };
  const field = { url, attacker: { host: 'x', token: 'y' }, ordinary, foreignIn: () => undefined };
  const framings = corpus().filter(
    ({ name }) => name === 'both lengths: the whole length, with chunked up to the hidden request',
  );
  try {
    const { broken } = await attack(field, framings, Date.now() + 20_000);
    expect(broken.map(({ kind, what }) => `${kind} ${what}`)).toContain('foreign answer of /metrics');
    expect(broken.map(({ kind }) => kind)).toContain('not refused');
  } finally {
    waiting = [];
    for (const socket of sockets) socket.destroy();
    naive.close();
    await recorder.stop();
    await tokens.stop();
  }
}, 30_000);

describe('requests by the letter', () => {
  const read = (text: string) => requestsIn(Buffer.from(text, 'latin1'));

  it('are counted, and what follows the last is told', () => {
    const two = 'POST /a HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}GET /b HTTP/1.1\r\n\r\n';
    expect(read(two)).toEqual({ count: 2, rest: 0, faults: [] });
    expect(read(`${two}GET /c`)).toEqual({ count: 2, rest: 6, faults: [] });
    expect(read('PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')).toEqual({
      count: 1,
      rest: 0,
      faults: [],
    });
  });

  it.each([
    ['both lengths', 'POST /a HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bare line feed', 'GET /a HTTP/1.1\r\nx: a\nb: c\r\n\r\n'],
    ['an encoding of its own', 'POST /a HTTP/1.1\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a chunk that is none', 'POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n'],
    ['a version of its own', 'GET /a HTTP/1.2\r\n\r\n'],
  ])('have no %s', (_what, text) => {
    expect(read(text).faults).toHaveLength(1);
  });
});
