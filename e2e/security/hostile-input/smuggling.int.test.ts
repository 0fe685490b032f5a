/** Request smuggling, at the gateway and at a naive gateway. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { testRedis } from '@karaar/testing/harness';
import { answersIn } from '@karaar/testing/http-wire';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import { attack, someOf, type Field } from './smuggling/attack.ts';
import { corpus } from './smuggling/corpus.ts';
import { recordedField } from './smuggling/fields.ts';
import { startRecorder, type Echo } from './smuggling/recorder.ts';
import { requestsIn } from './smuggling/strict-requests.ts';

it('the corpus has at least a thousand framings with different names, of every known family', () => {
  const all = corpus();
  expect(all.length).toBeGreaterThanOrEqual(1_000);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  const families = new Set(all.map(({ family }) => family));
  for (const family of [
    'both lengths',
    'two lengths',
    'odd encoding',
    'after a size',
    'trailer',
    'early end',
  ])
    expect(families).toContain(family);
  for (const family of ['pipeline', 'upgrade', 'expect', 'names, with chunks', 'target', 'HTTP/1.0'])
    expect(families).toContain(family);
});

it('every tenth framing at the gateway: each caller gets the answer to its own request, and the service only requests that were sent', async () => {
  const field = await recordedField(await testRedis());
  try {
    // Names as values once succeeded.
    const once = corpus().filter(({ name }) => /^names.*content-length(\\r|: )/.test(name));
    expect(await attack(field, [...someOf(corpus(), 10), ...once], 60_000)).toEqual([]);
  } finally {
    await field.stop();
  }
}, 90_000);

it('the attack finds a gateway that reads the length and forwards the chunks', async () => {
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
  const ordinary = async (): Promise<string[]> => {
    const path = `/users/profile?mark=o${(asked += 1)}z`;
    try {
      const answer = await fetch(`${url}/api${path}`, { signal: AbortSignal.timeout(300) });
      const { url: of } = (await answer.json()) as Echo;
      return of === path ? [] : [`foreign answer: ${of}`];
    } catch (error) {
      return [`ordinary request failed: ${String(error)}`];
    }
  };
  const field: Field = { url, token: 'y', ordinary, foreignIn: () => undefined };
  const bothLengths = String.raw`Content-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHIDDEN`;
  const framings = corpus().filter(({ name }) => name.endsWith(bothLengths));
  expect(framings).toHaveLength(1);
  try {
    const whats = (await attack(field, framings, 20_000)).map(({ what }) => what);
    expect(whats).toContain('foreign answer: /metrics');
    expect(whats).toContainEqual(expect.stringMatching(/^not refused/));
  } finally {
    waiting = [];
    for (const socket of sockets) socket.destroy();
    naive.close();
    await recorder.stop();
    await tokens.stop();
  }
}, 30_000);

describe('the strict reader of requests', () => {
  const read = (text: string) => requestsIn(Buffer.from(text, 'latin1'));

  it('counts requests, and the bytes after the last of them', () => {
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
    ['another encoding', 'POST /a HTTP/1.1\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['an invalid chunk size', 'POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n'],
    ['another version', 'GET /a HTTP/1.2\r\n\r\n'],
  ])('finds %s', (_what, text) => {
    expect(read(text).faults).toHaveLength(1);
  });
});
