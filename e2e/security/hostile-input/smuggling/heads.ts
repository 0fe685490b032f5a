/** Heads that are odd in themselves: versions, line ends, names and values, sizes; and targets that lead elsewhere. */
import {
  AMBIGUOUS,
  chunked,
  framing,
  head,
  LAST_CHUNK,
  LOGIN,
  shown,
  type Framing,
  type Ground,
} from './framing.ts';

const PROFILE = '/api/users/profile';
const signed = ({ token }: Ground): string => `Authorization: Bearer ${token}`;
const NO_HOST = /Host: [^\r]*\r\n/;

/** Invalid versions, line ends and heads. */
function heads(): Framing[] {
  const body = (x: Ground) => LAST_CHUNK + x.hidden;
  const chunksIn =
    (version: string, lines: string[] = []) =>
    (x: Ground) =>
      head(x, [...lines, 'Transfer-Encoding: chunked'], { version }) + chunked(body(x));
  const sizedIn =
    (version: string, lines: string[] = []) =>
    (x: Ground) =>
      head(x, [...lines, `Content-Length: ${body(x).length}`], { version }) + body(x);
  const odd = [
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/2.0',
    'HTTP/3',
    'HTTP/1',
    'HTTP/1.',
    'HTTP/01.1',
    'HTTP/1.10',
    'http/1.1',
    'HTTP/ 1.1',
  ];
  const nonsense = [
    'HTTPS/1.1',
    'XTTP/1.1',
    'HTTP/1.1 x',
    'HTTP/1.1\t',
    '\0HTTP/1.1',
    'HTTP/1.1\0',
    'HTTP/\x31\xb9',
    'ICE/1.0',
    'RTSP/1.0',
    'HTTP/-1.1',
  ];
  const lf = (text: string) => text.replaceAll('\r\n', '\n');
  const inHead = (line: string) => (x: Ground) =>
    head(x, [line, 'Transfer-Encoding: chunked']) + chunked(body(x));
  const oddLines = [
    ...[
      'X-A: a\0b',
      'X-A: a\rb',
      'X-A: a\nb',
      'X-A: a\r\n b',
      'X-A: a\r\n\tb',
      'X-A: \x01',
      'X-A: \x7f',
      'X-A\0: 1',
      'X A: 1',
      ': 1',
    ],
    ...[
      'X-A',
      'X-A : 1',
      '\tX-A: 1',
      ' X-A: 1',
      'X-A\xfc: 1',
      'X-A: a\r\r\nX-B: b',
      'X-A: a\n\rX-B: b',
      '\rX-A: 1',
      '\nX-A: 1',
      'X-A:\r\n 1',
    ],
  ];
  const legalLines = [
    'X-A:',
    'X-A: \xfc',
    'X-A:\t1',
    "!#$%&'*+-.^_`|~: 1",
    'X-A: content-length: 5',

    'X-A: 0',
  ];
  return [
    framing('HTTP/1.0', 'with chunks', chunksIn('HTTP/1.0'), AMBIGUOUS),
    framing(
      'HTTP/1.0',
      'kept open, with chunks',
      chunksIn('HTTP/1.0', ['Connection: keep-alive']),
      AMBIGUOUS,
    ),
    framing(
      'HTTP/1.0',
      'with chunks and a name as value',
      chunksIn('HTTP/1.0', ['X-Any: content-length']),
      AMBIGUOUS,
    ),
    framing('HTTP/1.0', 'with a length', sizedIn('HTTP/1.0')),
    framing('HTTP/1.0', 'kept open, with a length', sizedIn('HTTP/1.0', ['Connection: keep-alive'])),
    framing(
      'HTTP/1.0',
      'kept open, then another',
      (x) =>
        head(x, ['Connection: keep-alive', 'Content-Length: 2'], { version: 'HTTP/1.0' }) + `{}${x.hidden}`,
      { answers: 2 },
    ),
    framing('HTTP/1.0', 'without a length', (x) => head(x, [], { version: 'HTTP/1.0' }) + body(x)),
    ...[...odd, ...nonsense].flatMap((version) => [
      framing('version', `${shown(version)} with chunks`, chunksIn(version), AMBIGUOUS),
      framing(
        'version',
        `${shown(version)} with a length`,
        sizedIn(version),
        // Node's parser tells the number alone, and 1.0 with a length has one meaning.
        version === 'RTSP/1.0' ? {} : AMBIGUOUS,
      ),
    ]),
    ...['GET /metrics\r\n', 'GET /\r\n', 'GET\r\n', 'POST /api/auth/login\r\n', 'GET /metrics\n'].map(
      (line) => framing('HTTP/0.9', shown(line), (x) => `${line}${x.hidden}`, AMBIGUOUS),
    ),
    framing(
      'line ends',
      'LF alone in the whole head, chunks',
      (x) => lf(head(x, ['Transfer-Encoding: chunked'])) + chunked(body(x)),
      AMBIGUOUS,
    ),
    framing(
      'line ends',
      'LF alone in the whole head, a length',
      (x) => lf(head(x, [`Content-Length: ${body(x).length}`])) + body(x),
      AMBIGUOUS,
    ),
    framing(
      'line ends',
      'CR alone in the whole head',
      (x) => head(x, ['Transfer-Encoding: chunked']).replaceAll('\r\n', '\r') + chunked(body(x)),
      { ...AMBIGUOUS, waits: true },
    ),
    framing(
      'line ends',
      'LF alone at the end of the head',
      (x) => `${head(x, ['Transfer-Encoding: chunked']).slice(0, -2)}\n${chunked(body(x))}`,
      AMBIGUOUS,
    ),
    framing('line ends', 'empty lines before', (x) => `\r\n\r\n${chunksIn('HTTP/1.1')(x)}`),
    framing(
      'line ends',
      'a line break in the target',
      (x) => head(x, [], { path: `${LOGIN}\r\nX: y` }) + x.hidden,
      AMBIGUOUS,
    ),
    ...oddLines.map((line, at) => framing('odd line', `${at} ${shown(line)}`, inHead(line), AMBIGUOUS)),
    ...legalLines.map((line, at) => framing('legal line', `${at} ${shown(line)}`, inHead(line))),
    ...['evil', '', 'evil:99', 'a b', 'a,b', 'a@b', '[::1]', 'x\r\nHost: y'].map((value) =>
      framing('host', shown(value), (x) => inHead('X-A: 1')(x).replace(NO_HOST, `Host: ${value}\r\n`)),
    ),
    framing('host', 'none', (x) => inHead('X-A: 1')(x).replace(NO_HOST, ''), AMBIGUOUS),
    ...[20_000, 70_000, 300_000].flatMap((size) => [
      framing('large head', `a value of ${size}`, inHead(`X-A: ${'a'.repeat(size)}`), AMBIGUOUS),
      framing(
        'large head',
        `names of ${size}`,
        inHead('X-A: 1\r\n'.repeat(size / 8).trim()),
        size > 64 * 1024 ? AMBIGUOUS : {},
      ),
      framing(
        'large head',
        `a target of ${size}`,
        (x) => head(x, ['Content-Length: 0'], { path: `${LOGIN}?a=${'a'.repeat(size)}` }) + x.hidden,
        AMBIGUOUS,
      ),
    ]),
    framing('large head', 'a value of 8000', inHead(`X-A: ${'a'.repeat(8_000)}`)),
  ];
}

/** Targets that lead elsewhere, or say so. */
function targets(): Framing[] {
  const inside = ['/metrics', '/internal/check', '/readyz'];
  const ways = [
    ...[
      '/api/..',
      '/api/.',
      '/api/%2e%2e',
      '/api/%2E%2E',
      '/api/auth/..;',
      '/api/auth/../..',
      '/api/auth/%2e%2e/%2e%2e',
      '/api/..%2f',
    ],
    ...[
      '/api/',
      '/api//',
      '/api/\\',
      '/api/%2f',
      '/api/auth\\..\\..',
      '/api/files/auth',
      '/api/files/auth/',
      '/api/files/auth/..',
    ],
    ...[
      '/api/files/auth/../..',
      '/api/files/auth/%2e%2e',
      '/api/files/auth/..%2f..',
      '/api/files/auth/.%2e',
      '/api/log/..',
      '/api/log/../..',
    ],
    ...[
      '/api/log/%2e%2e',
      '/socket.io/..',
      '/socket.io/%2e%2e',
      '/socket.io/..%2f',
      '/socket.io/.',
      '/socket.io/\\..',
      '/socket.io/../..',
    ],
  ];
  const own = ({ id }: Ground) => `${PROFILE}?mark=${id}`;
  const forms: readonly ((x: Ground) => string)[] = [
    (x) => `http://${x.host}${own(x)}`,
    (x) => `https://${x.host}${own(x)}`,
    () => 'http://127.0.0.1:1/metrics',
    () => 'http:///metrics',
    ({ host }) => `//${host}/metrics`,
    ({ host }) => host,
    () => '*',
    () => '/*',
    () => '?',
    () => '#/metrics',
    (x) => `${own(x)}#/metrics`,
    (x) => `${own(x)}%0d%0aX: y`,
    (x) => `${own(x)}%20HTTP/1.1%0d%0aX:y`,
    (x) => `${own(x)} HTTP/1.1\r\nX: y`,
    (x) => `${own(x)}\tHTTP/1.1`,
    (x) => `${own(x)}\x80\xff`,
    (x) => `${own(x)}\0`,
    (x) => `${own(x)}&a=\x7f`,
    ({ id }) => `${PROFILE}/?mark=${id}`,
    (x) => `${own(x)}${'&'.repeat(200)}`,
    () => 'api/users/profile',
  ];
  return [
    ...ways.flatMap((way) =>
      inside.map((goal) =>
        framing(
          'target',
          `GET ${way}${goal}`,
          (x) => head(x, [signed(x)], { method: 'GET', path: `${way}${goal}` }) + x.hidden,
          {
            answers: 2,
          },
        ),
      ),
    ),
    ...['GET', 'POST', 'OPTIONS', 'CONNECT', 'TRACE', 'PATCH', 'FOO', 'get', 'G ET', ''].flatMap((method) =>
      forms.map((target, at) =>
        framing(
          'target',
          `${shown(method)} in form ${at}`,
          (x) =>
            `${method} ${target(x)} HTTP/1.1\r\nHost: ${x.host}\r\n${signed(x)}\r\nContent-Length: 0\r\n\r\n${x.hidden}`,
          {
            answers: 2,
          },
        ),
      ),
    ),
  ];
}

export const headFramings = (): Framing[] => [...heads(), ...targets()];
