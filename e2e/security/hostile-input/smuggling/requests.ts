/** Requests that are odd as a whole: several at once, upgrades that come to nothing, bodies where none belongs. */
import {
  AMBIGUOUS,
  chunked,
  framing,
  head,
  LAST_CHUNK,
  LOGIN,
  shown,
  type Bounds,
  type Framing,
  type Ground,
} from './framing.ts';

const PROFILE = '/api/users/profile';
const SOCKET = '/socket.io/?EIO=4&transport=websocket';
const signed = ({ token }: Ground): string => `Authorization: Bearer ${token}`;

/** A body where the method has none. */
function bodiless(): Framing[] {
  const cases = [
    { method: 'GET', path: PROFILE },
    { method: 'HEAD', path: PROFILE },
    { method: 'DELETE', path: '/api/users/profile/sessions/00000000-0000-4000-8000-000000000000' },
    { method: 'GET', path: '/api/log/checkpoint' },
    { method: 'HEAD', path: '/api/log/checkpoint' },
  ];
  return cases.flatMap(({ method, path }) => {
    const bounds = { ...AMBIGUOUS, isHead: method === 'HEAD' };
    const of = (name: string, make: (x: Ground) => string) =>
      framing('a body where none belongs', `${method} ${path}, ${name}`, make, bounds);
    const top = (x: Ground, lines: string[]) => head(x, [signed(x), ...lines], { method, path });
    return [
      of('with a length', (x) => top(x, [`Content-Length: ${x.hidden.length}`]) + x.hidden),
      of('with chunks', (x) => top(x, ['Transfer-Encoding: chunked']) + chunked(LAST_CHUNK + x.hidden)),
      of(
        'with a length of chunks',
        (x) => top(x, [`Content-Length: ${chunked(x.hidden).length}`]) + chunked(x.hidden),
      ),
      of(
        'expected',
        (x) => top(x, ['Expect: 100-continue', `Content-Length: ${x.hidden.length}`]) + x.hidden,
      ),
      of(
        'with a name as value',
        (x) =>
          top(x, ['X-Any: content-length', 'Transfer-Encoding: chunked']) + chunked(LAST_CHUNK + x.hidden),
      ),
      framing(
        'no body where none belongs',
        `${method} ${path}`,
        (x) => top(x, ['Content-Length: 0']) + x.hidden,
        {
          answers: 2,
          isHead: method === 'HEAD',
        },
      ),
    ];
  });
}

/** Handshakes that come to nothing, and what is sent behind them as if they had not. */
function upgrades(): Framing[] {
  const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const V13 = 'Sec-WebSocket-Version: 13';
  const protocols = [
    ...[
      'h2c',
      'HTTP/2.0',
      'TLS/1.0',
      'websocket/13',
      'foo',
      'websocket, h2c',
      'h2c, websocket',
      'WebSocket',
      '',
      'chunked',
    ],
    'content-length',
  ];
  const handshakes: { name: string; lines: string[]; method?: string; version?: string }[] = [
    ...protocols.map((name) => ({ name, lines: ['Connection: Upgrade', `Upgrade: ${name}`, KEY, V13] })),
    {
      name: 'h2c with settings',
      lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
    },
    ...['0', '7', '8', '12', '14', '777', '-1', 'x', '', 'content-length', '13, 8'].map((version) => ({
      name: `websocket of version ${version}`,
      lines: ['Connection: Upgrade', 'Upgrade: websocket', KEY, `Sec-WebSocket-Version: ${version}`],
    })),
    { name: 'websocket without a version', lines: ['Connection: Upgrade', 'Upgrade: websocket', KEY] },
    { name: 'websocket without a key', lines: ['Connection: Upgrade', 'Upgrade: websocket', V13] },
    ...['x', '', 'content-length', 'AAAA', `${'A'.repeat(5_000)}==`].map((key) => ({
      name: `websocket with the key ${shown(key)}`,
      lines: ['Connection: Upgrade', 'Upgrade: websocket', V13, `Sec-WebSocket-Key: ${key}`],
    })),
    {
      name: 'websocket by POST',
      method: 'POST',
      lines: ['Connection: Upgrade', 'Upgrade: websocket', KEY, V13],
    },
    {
      name: 'websocket in HTTP/1.0',
      version: 'HTTP/1.0',
      lines: ['Connection: Upgrade', 'Upgrade: websocket', KEY, V13],
    },
    {
      name: 'websocket with a name as value',
      lines: ['Connection: Upgrade', 'Upgrade: websocket', KEY, V13, 'X-Any: content-length'],
    },
    { name: 'upgrade without saying so', lines: ['Upgrade: websocket', KEY, V13] },
    { name: 'saying so without one', lines: ['Connection: Upgrade', KEY, V13] },
  ];
  const paths = [SOCKET, '/socket.io/?EIO=4&transport=polling', '/socket.io/x', PROFILE, '/metrics', '/'];
  return handshakes.flatMap(({ name, lines, method = 'GET', version = 'HTTP/1.1' }) =>
    paths.flatMap((path) => {
      const top = (x: Ground, more: string[] = []) => head(x, [...lines, ...more], { method, path, version });
      const of = (what: string, make: (x: Ground) => string | string[], answers: number) =>
        framing('upgrade', `${name} at ${path}, ${what}`, make, { answers });
      // A server may go on as if no upgrade had been asked for: what follows is then the client's next request.
      return [
        of('then a request', (x) => [top(x), `${x.hidden}\r\n\r\n`], 2),
        ...(path === SOCKET || path === PROFILE
          ? [
              of('with a request at once', (x) => `${top(x)}${x.hidden}\r\n\r\n`, 2),
              of(
                'with chunks',
                (x) => top(x, ['Transfer-Encoding: chunked']) + chunked(LAST_CHUNK + x.hidden),
                1,
              ),
              of('with a length', (x) => top(x, [`Content-Length: ${x.hidden.length}`]) + x.hidden, 1),
            ]
          : []),
      ];
    }),
  );
}

/** A body that may not be sent yet, and is; of requests that are refused, the rest. */
function expectations(): Framing[] {
  const values = [
    '100-continue',
    '100-Continue',
    '100-continue, x',
    'x',
    '',
    'content-length',
    '200-ok',
    '100-continue;q=1',
  ];
  return [
    ...values.flatMap((value) => [
      framing(
        'expect',
        `${shown(value)}, with chunks at once`,
        (x) => head(x, [`Expect: ${value}`, 'Transfer-Encoding: chunked']) + chunked(LAST_CHUNK + x.hidden),
      ),
      framing('expect', `${shown(value)}, with a length at once`, (x) => {
        const body = LAST_CHUNK + x.hidden;
        return head(x, [`Expect: ${value}`, `Content-Length: ${body.length}`]) + body;
      }),
      framing(
        'expect',
        `${shown(value)}, with nothing to wait for`,
        (x) => head(x, [`Expect: ${value}`, 'Content-Length: 0']) + x.hidden,
        { answers: 2 },
      ),
      framing(
        'expect',
        `${shown(value)}, and both lengths`,
        (x) =>
          head(x, [`Expect: ${value}`, 'Content-Length: 5', 'Transfer-Encoding: chunked']) +
          LAST_CHUNK +
          x.hidden,
        AMBIGUOUS,
      ),
    ]),
    ...[
      { what: 'without a token', method: 'PUT', path: PROFILE },
      { what: 'to an address that is none', method: 'POST', path: '/api/none' },
      { what: 'by a method that is not for it', method: 'PUT', path: LOGIN },
      { what: 'to a page', method: 'POST', path: '/' },
      { what: 'to a health probe', method: 'POST', path: '/healthz' },
    ].flatMap(({ what, ...at }) => [
      framing(
        'refused with a body',
        `${what}, a length`,
        (x) => head(x, [`Content-Length: ${x.hidden.length}`], at) + x.hidden,
      ),
      framing(
        'refused with a body',
        `${what}, chunks`,
        (x) => head(x, ['Transfer-Encoding: chunked'], at) + chunked(LAST_CHUNK + x.hidden),
      ),
      framing('refused with a body', `${what}, a length that is waited for`, (x) => [
        head(x, ['Expect: 100-continue', `Content-Length: ${x.hidden.length}`], at),
        x.hidden,
      ]),
      framing('refused with a body', `${what}, chunks that are waited for`, (x) => [
        head(x, ['Expect: 100-continue', 'Transfer-Encoding: chunked'], at),
        chunked(LAST_CHUNK + x.hidden),
      ]),
      framing(
        'refused with a body',
        `${what}, a name as value`,
        (x) =>
          head(x, ['X-Any: content-length', 'Transfer-Encoding: chunked'], at) +
          chunked(LAST_CHUNK + x.hidden),
      ),
    ]),
  ];
}

/** Bodies that are still on their way when the service has answered; with less than was said, or with more. */
function earlyAnswers(): Framing[] {
  const path = `${LOGIN}?early=1`;
  const long = (x: Ground) => `${LAST_CHUNK}${x.hidden}`.padEnd(200_000, `\r\n\r\n${x.hidden}`);
  const sized = (x: Ground, lines: string[] = []) =>
    head(x, [...lines, `Content-Length: ${long(x).length}`], { path });
  const inChunks = (x: Ground) => head(x, ['Transfer-Encoding: chunked'], { path });
  const of = (name: string, make: (x: Ground) => string | string[], bounds: Partial<Bounds> = {}) =>
    framing('answered early', name, make, bounds);
  const cut = { ends: true };
  return [
    of('a length', (x) => [sized(x), long(x)]),
    of('a length, in halves', (x) => [sized(x), long(x).slice(0, 100_000), long(x).slice(100_000)]),
    of('a length, and more', (x) => [sized(x), `${long(x)}${x.hidden}`], { answers: 2 }),
    of('a length, cut', (x) => [sized(x), long(x).slice(0, 150_000)], cut),
    of('a length, silent', (x) => sized(x)),
    of('chunks', (x) => [inChunks(x), chunked(long(x))]),
    of('chunks, and more', (x) => [inChunks(x), `${chunked(long(x))}${x.hidden}`], { answers: 2 }),
    of('chunks, cut', (x) => [inChunks(x), chunked(long(x)).slice(0, 150_000)], cut),
    of('chunks, silent', (x) => inChunks(x)),
    of('a name as value', (x) => [
      head(x, ['X-Any: content-length', 'Transfer-Encoding: chunked'], { path }),
      chunked(long(x)),
    ]),
  ];
}

/** Several requests in one write, the last of them hidden or cut. */
function pipelines(): Framing[] {
  const get = (x: Ground) => head(x, [signed(x)], { method: 'GET', path: PROFILE });
  const post = (x: Ground) => head(x, ['Content-Length: 2']) + '{}';
  const asChunks = (x: Ground) => head(x, ['Transfer-Encoding: chunked']) + chunked('{}');
  const kinds = { GET: get, POST: post, 'POST in chunks': asChunks };
  return Object.entries(kinds).flatMap(([first, make]) => [
    ...[1, 2, 5, 20].flatMap((times) => [
      framing(
        'pipeline',
        `${times} × ${first}, then the hidden request`,
        (x) => make(x).repeat(times) + x.hidden,
        {
          answers: times + 1,
        },
      ),
      framing(
        'pipeline',
        `${times} × ${first}, then nonsense`,
        (x) => `${make(x).repeat(times)}\0\r\n\r\n${x.hidden}`,
        {
          answers: times + 1,
        },
      ),
    ]),
    ...Object.entries(kinds).map(([second, then]) =>
      framing(
        'pipeline',
        `${first}, ${second}, then both lengths`,
        (x) =>
          make(x) +
          then(x) +
          head(x, ['Content-Length: 5', 'Transfer-Encoding: chunked']) +
          LAST_CHUNK +
          x.hidden,
        { answers: 3 },
      ),
    ),
    framing('pipeline', `${first}, then empty lines`, (x) => `${make(x)}${'\r\n'.repeat(5)}${x.hidden}`, {
      answers: 2,
    }),
    framing(
      'pipeline',
      `${first} that closes, then another`,
      (x) => make(x).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + make(x) + x.hidden,
    ),
  ]);
}

export const requestFramings = (): Framing[] => [
  ...bodiless(),
  ...upgrades(),
  ...expectations(),
  ...earlyAnswers(),
  ...pipelines(),
];
