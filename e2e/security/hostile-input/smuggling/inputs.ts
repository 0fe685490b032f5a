/** The values from which the framings are made. */

/** A route without sign-in, whose service reads the body. */
export const LOGIN = '/api/auth/login';
export const PROFILE = '/api/users/profile';
export const SOCKET = '/socket.io/?EIO=4&transport=websocket';
export const LAST_CHUNK = '0\r\n\r\n';
/** `{n}` is the length of the body. */
export const [LENGTH, FIVE, NONE] = ['Content-Length: {n}', 'Content-Length: 5', 'Content-Length: 0'];

/** The word with each of these bytes before it, and after it. */
const around = (word: string, bytes: readonly string[]): string[] =>
  bytes.flatMap((byte) => [byte + word, word + byte]);

// prettier-ignore
/** Invalid forms of a value that some parsers accept. */
const misspelled = (word: string): string[] => [
  ...around(word, ['\v', '\f', '\0', '\x7f', '\x85', '\xa0', '\xff', '\r', '\n', '\r\r', ',', ', ', ';', '=', 'x']),
  `"${word}"`, `'${word}'`, `\`${word}\``, `<${word}>`, `(${word})`, `[${word}]`, `:${word}`, `${word},,`, `${word}%00`,
  ...[' ', ',', ', ', ' , '].map((between) => word + between + word), `x ${word}`, `${word} x`, `${word};q=1`,
  `${word};a="b"`, `${word}\rX: y`, `${word}\nX: y`, `\r\n ${word}`, `\r\n\t${word}`, `${word}\r\n `,
  '', ' ', ',', 'x', 'null', 'undefined', 'true', 'content-length',
];

// prettier-ignore
/** Lines that are not a field, or are one only for some parsers. */
const ODD_LINES = [
  'X-A: a\0b', 'X-A: a\rb', 'X-A: a\nb', 'X-A: a\r\n b', 'X-A: a\r\n\tb', 'X-A: \x01', 'X-A: \x7f',
  'X-A\0: 1', 'X A: 1', ': 1', 'X-A', 'X-A : 1', '\tX-A: 1', ' X-A: 1', 'X-A\xfc: 1', 'X-A: a\r\r\nX-B: b',
  'X-A: a\n\rX-B: b', '\rX-A: 1', '\nX-A: 1', 'X-A:\r\n 1',
];

// prettier-ignore
export const INPUTS = {
  /** Invalid spellings of a name that some parsers accept. */
  spellings: (name: string): string[] => [
    ...around(name, [' ', '\t', '\v', '\f', '\0', '\r', '\x85', '\xa0']), `X: y\n${name}`, `X: y\r${name}`,
    `X: y\n\r${name}`, `"${name}"`, `${name}:`, `(${name}`, `${name}\\`, name.replace('-', '\0-'),
    name.replace('-', '- '),
  ],
  /** Other valid names, which a careless parser mistakes for this one. */
  lookalikes: (name: string): string[] => [
    name.replace('-', '_'), name.replace('-', ''), `${name}-`, `X-${name}`, `${name}s`, name.replace('-', '--'),
  ],
  encodings: [
    ...misspelled('chunked'), ...['identity', 'gzip', 'cow'].flatMap((x) => [x, `${x}, chunked`, `chunked, ${x}`]),
    'deflate, chunked', 'compress', 'trailers, chunked', 'chun ked', 'chunk', 'chun\0ked', 'ch\xfcnked', 'chun\x01ked',
    'chunked\r\n ,identity', 'identity\r\n ,chunked', 'close', '0', '5', '%63hunked', 'c\\hunked',
    'chunked, \r\n identity', 'chunked\t, identity', 'identity,\tchunked',
  ],
  chunked: ['chunked', 'Chunked', 'CHUNKED', 'cHuNkEd', ' chunked', '\tchunked', 'chunked '],
  /** Invalid lengths; `{n}` is the real one. */
  lengths: [
    ...misspelled('{n}'), '+{n}', '-{n}', '-0', '-1', '0x{hex}', '{n}.0', '{n}e0', '{n}_', '1_{n}', '{n}, 0', '0, {n}',
    'NaN', 'Infinity', 'five', 'chunked', '18446744073709551616', '{above64}', '{above32}e', '9'.repeat(400),
    '{n}\r\n 0', '0\r\n {n}', '{n}/1', '{n}%', '\xb9{n}', '0b101', '0o5',
  ],
  legalLengths: ['0{n}', `${'0'.repeat(40)}{n}`, '\t {n} \t', '9007199254740993', '9223372036854775807'],
  /** Two lengths in one request. */
  twoLengths: [
    [LENGTH, LENGTH], [LENGTH, LENGTH, LENGTH], [NONE, LENGTH], [LENGTH, NONE], [FIVE, LENGTH], [LENGTH, FIVE],
    [FIVE, 'X-Between: 1', LENGTH], ['content-length: 5', 'CONTENT-LENGTH: {n}'], ['Content-Length:', LENGTH],
    [LENGTH, 'Content-Length: 0{n}'],
  ],
  /** Bytes between the size of a chunk and its line break. */
  extensions: [
    ';', ';a', ';a=b', ';a=b;c=d', ' ;a', '; a', ';a ', ';a = b', '\t;a', ';a="b;c"', ';a="b\\"c"', ";a='b'",
    ';a="\r\n0\r\n\r\n"', ';a="\n0\n\n"', ';a=\r', ';a\rb', ';a\nb', ';\n', ';\r', ';\r\r', ';a\0', ';\0', ';\x7f',
    ';a="', ';"', ';=', ';=b', ';;', ';a\x80', ';a=\xff', ';content-length=5', ';transfer-encoding=chunked',
    `;${'a'.repeat(5_000)}`, `;${'a'.repeat(20_000)}`, `;a="${'b'.repeat(17_000)}"`, `;${'a=b;'.repeat(6_000)}`,
    ' ', '  ', '\t', '\v', '\f', '\0', '\xa0', ',', ' a', 'g', '.', '_', 'h', '\n', '\r', '\n\r', '\r\n\r', ' \n',
  ],
  sizes: [
    '0x{hex}', '0X{hex}', '0{hex}', `${'0'.repeat(20)}{hex}`, `${'0'.repeat(5_000)}{hex}`, '+{hex}', '-{hex}', ' {hex}',
    '\t{hex}', '\v{hex}', '\0{hex}', '\r\n{hex}', '\n{hex}', '{n}.', '{hex}.0', '_{hex}', '"{hex}"', '({hex})',
    '\\x{hex}', '%{hex}', '{hex}h', '', 'ffffffffffffffff', 'fffffffffffffffff', '1{hex16}', '1{hex8}', '7fffffff',
    '80000000', '-1', '-0', '0x', '0x0', 'x', 'NaN', 'g', '\xb9', '{HEX}',
  ],
  /** Bytes instead of the line break after a chunk. */
  afterChunk: ['', '\n', '\r', '\n\r', '\r\r\n', '\r\n\r\n', 'X\r\n', '\rX', '\0\r\n', ' \r\n', 'XX', '\r\n\n'],
  lastChunks: [
    '0\n\n', '0\r\n\n', '0\n\r\n', '0\r\r', '00\r\n\r\n', `${'0'.repeat(40)}\r\n\r\n`, '0;a=b\r\n\r\n',
    '0;\r\n\r\n', '0 \r\n\r\n', ' 0\r\n\r\n', '-0\r\n\r\n', '+0\r\n\r\n', '0x0\r\n\r\n', '0\r\n \r\n\r\n',
    '0\r\n\r\r\n', '0\r\nX\r\n\r\n',
  ],
  trailers: [
    'X-Any: 1', 'x-any:1', 'Content-Length: 0', 'Content-Length: 50', 'Transfer-Encoding: chunked', 'Host: evil',
    'Authorization: Bearer x', 'Cookie: a=b', 'X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Host: evil',
    'X-Request-Id: stolen-0001', 'Connection: close', 'Connection: keep-alive', 'Upgrade: websocket', 'Trailer: x',
    'Content-Type: text/html', 'Content-Encoding: gzip', 'Expect: 100-continue', 'TE: trailers', 'Te: chunked',
    ' folded', 'X-A: 1\r\n folded', 'X-A: 1\nX-B: 2', 'X-A: 1\rX-B: 2', '\0: 1', ...ODD_LINES,
    `X-A: ${'a'.repeat(20_000)}`, 'GET /metrics HTTP/1.1', `${'X-A: 1\r\n'.repeat(1_500)}X-B: 2`,
    'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ],
  breaks: [['\r\n'], ['Transfer', 'chunked'], ['\r\n\r\n'], [LAST_CHUNK], ['\r\n\r\n', '\r\n', LAST_CHUNK]],
  bodiless: [
    ['GET', PROFILE], ['HEAD', PROFILE], ['GET', '/api/log/checkpoint'], ['HEAD', '/api/log/checkpoint'],
    ['DELETE', `${PROFILE}/sessions/00000000-0000-4000-8000-000000000000`],
  ] as const,
  socketPaths: [SOCKET, '/socket.io/?EIO=4&transport=polling', '/socket.io/x', PROFILE, '/metrics', '/'],
  protocols: [
    'h2c', 'HTTP/2.0', 'TLS/1.0', 'websocket/13', 'foo', 'websocket, h2c', 'h2c, websocket', 'WebSocket', '',
    'chunked', 'content-length',
  ],
  socketVersions: ['0', '7', '8', '12', '14', '777', '-1', 'x', '', 'content-length', '13, 8'],
  socketKeys: ['x', '', 'content-length', 'AAAA', `${'A'.repeat(5_000)}==`],
  expectations: [
    '100-continue', '100-Continue', '100-continue, x', 'x', '', 'content-length', '200-ok', '100-continue;q=1',
  ].map((value) => `Expect: ${value}`),
  refused: [
    ['PUT', PROFILE], ['POST', '/'], ['POST', '/api/none'], ['PUT', LOGIN], ['POST', '/healthz'],
  ] as const,
  versions: [
    'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/3', 'HTTP/1', 'HTTP/1.', 'HTTP/01.1', 'HTTP/1.10', 'http/1.1',
    'HTTP/ 1.1', 'HTTPS/1.1', 'XTTP/1.1', 'HTTP/1.1 x', 'HTTP/1.1\t', '\0HTTP/1.1', 'HTTP/1.1\0',
    'HTTP/\x31\xb9', 'ICE/1.0', 'RTSP/1.0', 'HTTP/-1.1',
  ],
  oddLines: ODD_LINES,
  legalLines: ['X-A:', 'X-A: \xfc', 'X-A:\t1', "!#$%&'*+-.^_`|~: 1", 'X-A: content-length: 5', 'X-A: 0'],
  bareLines: ['GET /metrics\r\n', 'GET /\r\n', 'GET\r\n', 'POST /api/auth/login\r\n', 'GET /metrics\n'],
  hosts: ['evil', '', 'evil:99', 'a b', 'a,b', 'a@b', '[::1]', 'x\r\nHost: y'],
  inside: ['/metrics', '/internal/check', '/readyz'],
  /** Beginnings of targets that a proxy could resolve to an internal route. */
  ways: [
    '/api/..', '/api/.', '/api/%2e%2e', '/api/%2E%2E', '/api/auth/..;', '/api/auth/../..',
    '/api/auth/%2e%2e/%2e%2e', '/api/..%2f', '/api/', '/api//', '/api/\\', '/api/%2f', '/api/auth\\..\\..',
    '/api/files/auth', '/api/files/auth/', '/api/files/auth/..', '/api/files/auth/../..',
    '/api/files/auth/%2e%2e', '/api/files/auth/..%2f..', '/api/files/auth/.%2e', '/api/log/..',
    '/api/log/../..', '/api/log/%2e%2e', '/socket.io/..', '/socket.io/%2e%2e', '/socket.io/..%2f',
    '/socket.io/.', '/socket.io/\\..', '/socket.io/../..',
  ],
  methods: ['GET', 'POST', 'OPTIONS', 'CONNECT', 'TRACE', 'PATCH', 'FOO', 'get', 'G ET', ''],
  /** `{own}` is the attacker's profile, with the mark. */
  forms: [
    'http://{host}{own}', 'https://{host}{own}', 'http://127.0.0.1:1/metrics', 'http:///metrics',
    '//{host}/metrics', '{host}', '*', '/*', '?', '#/metrics', '{own}#/metrics', '{own}%0d%0aX: y',
    '{own}%20HTTP/1.1%0d%0aX:y', '{own} HTTP/1.1\r\nX: y', '{own}\tHTTP/1.1', '{own}\x80\xff', '{own}\0',
    '{own}&a=\x7f', `${PROFILE}/?mark={id}`, `{own}${'&'.repeat(200)}`, 'api/users/profile',
  ],
  names: [
    'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te',
    'trailer', 'expect', 'host', 'content-type', 'content-encoding', 'accept', 'accept-encoding', 'user-agent',
    'authorization', 'proxy-authorization', 'cookie', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto',
    'x-forwarded-host', 'x-real-ip', 'x-request-id', 'traceparent', 'tracestate', 'x-http-method-override',
    'x-original-url', 'range', 'if-none-match', 'origin', 'x-any',
  ],
  /** Numbers as names: in a flat list of names and values they follow `content-length`. */
  numbers: ['0', '5', '00', '1e1', '-1', 'nan'],
};
