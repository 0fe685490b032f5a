/** Requests that two parsers may read differently, each with another request hidden in it. */
import type { Bounds, Framing, Ground } from './attack.ts';
import { FIVE, INPUTS, LAST_CHUNK, LENGTH, LOGIN, NONE, PROFILE, SOCKET } from './inputs.ts';

type Body = (ground: Ground) => string;
/** A request, in one or several writes. */
type Make = (ground: Ground) => string | string[];
type Lines = readonly string[];
type At = { method?: string; path?: string; version?: string };

const USUAL: Bounds = { refused: false, answers: 1, isHead: false, waits: false, ends: false };
const AMBIGUOUS = { refused: true };
/** The hidden request may be the client's next one. */
const NEXT = { answers: 2 };

/** These words are in the names of framings for the values of a run. */
const WORDS: Ground = { host: 'HOST', token: 'TOKEN', id: 'ID', hidden: 'HIDDEN' };
const usualLines = ({ host }: Ground) =>
  `Host: ${host}\r\nContent-Type: application/json\r\nAccept: application/json\r\n`;

/** The bytes without the usual lines; repetitions are shortened. */
const shown = (text: string): string =>
  JSON.stringify(
    text
      .replaceAll(usualLines(WORDS), '')
      .replaceAll(/([^]{1,90}?)\1{20,}/g, (all, unit: string) => `${unit}×${all.length / unit.length}`),
  ).slice(1, -1);

/** Returns a function that makes framings of one family: a body after each head, or a whole request. */
const family =
  (of: string, bounds: Partial<Bounds> = {}, at: At = {}) =>
  (body: Make, ...heads: readonly Lines[]): Framing[] =>
    (heads.length === 0 ? [body] : heads.map((lines) => request(lines, body, at))).map((make) => {
      const parts = (ground: Ground) => [make(ground)].flat();
      const name = `${of}: ${parts(WORDS).map(shown).join(' | ')}${bounds.ends === true ? ' and ends' : ''}`;
      return { ...USUAL, ...bounds, family: of, name, parts };
    });

/** Replaces `{n}`, `{hex}` and so on by forms of a number of bytes. */
function withSize(text: string, n: number): string {
  const hex = n.toString(16);
  const padded = { hex8: hex.padStart(8, '0'), hex16: hex.padStart(16, '0') };
  const above = { above32: 2 ** 32 + n, above64: 2n ** 64n + BigInt(n) };
  const forms: Record<string, unknown> = { n, hex, HEX: hex.toUpperCase(), ...padded, ...above };
  return text.replaceAll(/\{(\w+)\}/g, (whole, form: string) => String(forms[form] ?? whole));
}

/** A head with these lines after those that every client sends. */
function head(ground: Ground, lines: Lines, at: At = {}): string {
  const { method = 'POST', path = LOGIN, version = 'HTTP/1.1' } = at;
  const target = `${path}${path.includes('?') ? '&' : '?'}mark=${ground.id}`;
  const own = lines.map((line) => `${line}\r\n`).join('');
  return `${method} ${target} ${version}\r\n${usualLines(ground)}${own}\r\n`;
}

/** A head and its body. In the lines, `{n}` is the length of the body and `{token}` the attacker's token. */
const request =
  (lines: Lines, body: Make, at: At = {}): Body =>
  (x) => {
    const sent = [body(x)].flat().join('');
    const filled = lines.map((line) => withSize(line, sent.length).replace('{token}', x.token));
    return head(x, filled, at) + sent;
  };

/** The head and the rest in separate writes. */
const headFirst = (make: Body) => (x: Ground) => {
  const [, top = '', rest = ''] = /^([^]*?\r\n\r\n)([^]*)$/.exec(make(x)) ?? [];
  return [top, rest];
};

const CHUNKS = 'Transfer-Encoding: chunked';
const SIGNED = 'Authorization: Bearer {token}';
const [EXPECT, NAME_AS_VALUE] = ['Expect: 100-continue', ['X-Any: content-length', CHUNKS]] as const;
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n${LAST_CHUNK}`;
const hidden: Body = (x) => x.hidden;
/** The hidden request, after the end that a reader of chunks sees. */
const ended: Body = (x) => LAST_CHUNK + x.hidden;
/** The same as one chunk. */
const wrapped: Body = (x) => chunked(ended(x));
/** A head that announces chunks, without its body. */
const onlyHead = request([CHUNKS], () => '');

const [oddName, lookalike] = [family('odd name', AMBIGUOUS), family('lookalike')];

function encodings(): Framing[][] {
  const [both, odd] = [family('both lengths', AMBIGUOUS), family('odd encoding', AMBIGUOUS)];
  const [one, two] = [family('one encoding'), family('two encodings', AMBIGUOUS)];
  const field = (value: string) => `Transfer-Encoding: ${value}`;
  return [
    ...INPUTS.chunked
      .map(field)
      .flatMap((line) => [
        one(wrapped, [line.replace(': ', ':')]),
        both(wrapped, [LENGTH, line], [line, LENGTH], [NONE, line]),
        both(ended, [FIVE, line], [LENGTH, line]),
      ]),
    ...INPUTS.encodings
      .map(field)
      .flatMap((line) => [
        odd(wrapped, [line]),
        odd(ended, [LENGTH, line], [line, LENGTH]),
        two(wrapped, [CHUNKS, line], [line, CHUNKS]),
      ]),
    two(wrapped, [CHUNKS, CHUNKS]),
    ...INPUTS.spellings('Transfer-Encoding').flatMap((name) => [
      oddName(wrapped, [`${name}: chunked`]),
      oddName(ended, [LENGTH, `${name}: chunked`]),
    ]),
    lookalike(ended, ...INPUTS.lookalikes('Transfer-Encoding').map((name) => [LENGTH, `${name}: chunked`])),
  ];
}

function lengths(): Framing[][] {
  const field = (value: string) => [`Content-Length: ${value}`];
  return [
    family('odd length', AMBIGUOUS)(ended, ...INPUTS.lengths.map(field)),
    family('two lengths', AMBIGUOUS)(ended, ...INPUTS.twoLengths),
    family('legal length')(ended, ...INPUTS.legalLengths.map(field)),
    ...INPUTS.spellings('Content-Length').flatMap((name) => [
      oddName(ended, [`${name}: {n}`], [FIVE, `${name}: {n}`]),
      oddName((x) => head(x, [CHUNKS, `${name}: ${ended(x).length}`]) + wrapped(x)),
    ]),
    lookalike(wrapped, ...INPUTS.lookalikes('Content-Length').map((name) => [CHUNKS, `${name}: 5`])),
  ];
}

const BODY = '{"phone_no":"1"}';
/** A chunk with this text for its size, without the line break after it. */
const chunkOf = (size: string) => `${withSize(size, BODY.length)}\r\n${BODY}`;
const CHUNK = chunkOf('{hex}');

function chunks(): Framing[][] {
  // Correct chunks end where the hidden request begins: it is then the client's next request.
  const of = (name: string, body: Body, bounds: Partial<Bounds> = NEXT) =>
    family(name, bounds)(body, [CHUNKS]);
  const trailer = family('trailer', NEXT);
  /** The hidden request in a chunk, with a text for its size. */
  const over = (x: Ground, size: string) =>
    `${withSize(size, ended(x).length)}\r\n${ended(x)}\r\n${LAST_CHUNK}`;
  return [
    ...INPUTS.extensions.flatMap((text) => [
      of('after a size', (x) => `${chunkOf(`{hex}${text}`)}\r\n${ended(x)}`),
      of('after a size, over', (x) => over(x, `{hex}${text}`), text.includes('\n') ? NEXT : USUAL),
      of('after the last size', (x) => `${CHUNK}\r\n0${text}\r\n\r\n${x.hidden}`),
    ]),
    ...INPUTS.sizes.flatMap((size) => [
      of('odd size', (x) => `${chunkOf(size)}\r\n${ended(x)}`),
      of('odd size, over', (x) => over(x, size)),
    ]),
    ...INPUTS.afterChunk.flatMap((text) => [
      of('after a chunk', (x) => `${CHUNK}${text}${ended(x)}`),
      of('after a chunk', (x) => `${CHUNK}${text}${ended(x)}\r\n\r\n`),
    ]),
    ...INPUTS.lastChunks.map((text) => of('last chunk', (x) => `${CHUNK}\r\n${text}${x.hidden}`)),
    ...[1, 2, 7].map((size) => {
      const cut = (text: string) =>
        text.replace(RegExp(`[^]{1,${size}}`, 'g'), (part) => `${part.length}\r\n${part}\r\n`);
      return of('small chunks', (x) => cut(ended(x)) + LAST_CHUNK, USUAL);
    }),
    ...INPUTS.trailers.map((text) => {
      const announced = `Trailer: ${/^[\w-]+(?=:)/.exec(text)?.[0] ?? 'x-any'}`;
      return trailer((x) => `${CHUNK}\r\n0\r\n${text}\r\n\r\n${x.hidden}`, [CHUNKS], [CHUNKS, announced]);
    }),
  ];
}

/** The attacker disconnects within the head, the body, a chunk's size, its bytes or its end. */
function earlyEnds(): Framing[][] {
  const makes = [onlyHead, request([CHUNKS], wrapped), request([LENGTH], ended)];
  return [false, true].flatMap((ends) => {
    const of = family('early end', { waits: true, ends });
    return [
      ...[1, 2, 3, 4, 5, 7, 12, 20, 30, 40, 60, 80].flatMap((cut) =>
        makes.map((make) => of((x) => make(x).slice(0, -cut))),
      ),
      of(hidden, ['Content-Length: 1000000']),
      of((x) => `fffff\r\n${x.hidden}`, [CHUNKS]),
      of((x) => `2\r\n{}\r\n0\r\nX-A: 1\r\n${x.hidden}`, [CHUNKS]),
    ];
  });
}

/** Cuts the text in the middle of each mark, in their order. */
function cutAt(text: string, [mark, ...rest]: Lines): string[] {
  if (mark === undefined) return [text];
  const to = text.indexOf(mark) + Math.ceil(mark.length / 2);
  return [text.slice(0, to), ...cutAt(text.slice(to), rest)];
}

/** A request in several writes. */
function pieces(): Framing[][] {
  const sent = request([CHUNKS], wrapped);
  return INPUTS.breaks.map((marks) => family('in pieces')((x) => cutAt(sent(x), marks)));
}

/** Bodies of methods that have none. */
function bodiless(): Framing[][] {
  return INPUTS.bodiless.flatMap(([method, path]) => {
    const [at, isHead] = [{ method, path }, method === 'HEAD'];
    const of = family('a body where none belongs', { ...AMBIGUOUS, isHead }, at);
    return [
      of(hidden, [SIGNED, LENGTH], [SIGNED, EXPECT, LENGTH]),
      of(wrapped, [SIGNED, CHUNKS], [SIGNED, ...NAME_AS_VALUE]),
      of((x) => chunked(x.hidden), [SIGNED, LENGTH]),
      family('no body where none belongs', { ...NEXT, isHead }, at)(hidden, [SIGNED, NONE]),
    ];
  });
}

const SOCKETS = ['Connection: Upgrade', 'Upgrade: websocket'] as const;
const [KEY, V13] = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];
const HANDSHAKES: readonly { lines: Lines; how?: At }[] = [
  ...INPUTS.protocols.map((name) => ({ lines: [SOCKETS[0], `Upgrade: ${name}`, KEY, V13] })),
  { lines: [`${SOCKETS[0]}, HTTP2-Settings`, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'] },
  ...INPUTS.socketVersions.map((name) => ({ lines: [...SOCKETS, KEY, `Sec-WebSocket-Version: ${name}`] })),
  ...INPUTS.socketKeys.map((key) => ({ lines: [...SOCKETS, V13, `Sec-WebSocket-Key: ${key}`] })),
  { lines: [...SOCKETS, KEY] },
  { lines: [...SOCKETS, V13] },
  { lines: [...SOCKETS, KEY, V13], how: { method: 'POST' } },
  { lines: [...SOCKETS, KEY, V13], how: { version: 'HTTP/1.0' } },
  { lines: [...SOCKETS, KEY, V13, 'X-Any: content-length'] },
  { lines: [SOCKETS[1], KEY, V13] },
  { lines: [SOCKETS[0], KEY, V13] },
];

/** Handshakes that fail, followed by bytes as if they had succeeded. */
function upgrades(): Framing[][] {
  const then = (x: Ground) => `${x.hidden}\r\n\r\n`;
  return HANDSHAKES.flatMap(({ lines, how }) =>
    INPUTS.socketPaths.flatMap((path) => {
      const at = { method: 'GET', ...how, path };
      // A server may ignore the upgrade: the rest is then the client's next request.
      const [next, of] = [family('upgrade', NEXT, at), family('upgrade', {}, at)];
      const first = next(headFirst(request(lines, then, at)));
      if (path !== SOCKET && path !== PROFILE) return [first];
      return [first, next(then, lines), of(wrapped, [...lines, CHUNKS]), of(hidden, [...lines, LENGTH])];
    }),
  );
}

/** Bodies that are sent before the server has asked for them, and bodies of refused requests. */
function expectations(): Framing[][] {
  const [of, next] = [family('expect'), family('expect', NEXT)];
  return [
    ...INPUTS.expectations.flatMap((line) => [
      of(wrapped, [line, CHUNKS]),
      of(ended, [line, LENGTH]),
      next(hidden, [line, NONE]),
      family('expect', AMBIGUOUS)(ended, [line, FIVE, CHUNKS]),
    ]),
    ...INPUTS.refused.flatMap(([method, path]) => {
      const at = { method, path };
      const refused = family('refused with a body', {}, at);
      return [
        refused(hidden, [LENGTH]),
        refused(wrapped, [CHUNKS], NAME_AS_VALUE),
        refused(headFirst(request([EXPECT, LENGTH], hidden, at))),
        refused(headFirst(request([EXPECT, CHUNKS], wrapped, at))),
      ];
    }),
  ];
}

/** Bodies that are still being sent when the service has answered; shorter than their length, or longer. */
function earlyAnswers(): Framing[][] {
  const of = (bounds?: Partial<Bounds>) => family('answered early', bounds);
  const top = (x: Ground, lines: Lines) => head(x, lines, { path: `${LOGIN}?early=1` });
  const long = (x: Ground) => ended(x).padEnd(200_000, `\r\n\r\n${x.hidden}`);
  const inChunks = (x: Ground) => chunked(long(x));
  const kinds = [
    { body: long, first: (x: Ground) => top(x, [`Content-Length: ${long(x).length}`]) },
    { body: inChunks, first: (x: Ground) => top(x, [CHUNKS]) },
    { body: inChunks, first: (x: Ground) => top(x, NAME_AS_VALUE) },
  ];
  return kinds.flatMap(({ first, body }) => [
    of()((x) => [first(x), body(x)]),
    of()((x) => [first(x), body(x).slice(0, 100_000), body(x).slice(100_000)]),
    of(NEXT)((x) => [first(x), `${body(x)}${x.hidden}`]),
    of({ ends: true })((x) => [first(x), body(x).slice(0, 150_000)]),
    of()(first),
  ]);
}

/** Several requests in one write; the last is hidden or cut. */
function pipelines(): Framing[][] {
  const of = (answers: number) => family('pipeline', { answers });
  const closing = (text: string) => text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  const bothLengths = request([FIVE, CHUNKS], ended);
  const kinds = [
    request([SIGNED], () => '', { method: 'GET', path: PROFILE }),
    request(['Content-Length: 2'], () => '{}'),
    request([CHUNKS], () => chunked('{}')),
  ];
  return kinds.flatMap((make) => [
    ...[1, 2, 5, 20].flatMap((times) =>
      ['', '\0\r\n\r\n'].map((nonsense) =>
        of(times + 1)((x) => `${make(x).repeat(times)}${nonsense}${x.hidden}`),
      ),
    ),
    ...kinds.map((then) => of(3)((x) => make(x) + then(x) + bothLengths(x))),
    of(2)((x) => `${make(x)}${'\r\n'.repeat(5)}${x.hidden}`),
    of(1)((x) => closing(make(x)) + make(x) + x.hidden),
  ]);
}

function versions(): Framing[][] {
  const of10 = (bounds?: Partial<Bounds>) => family('HTTP/1.0', bounds, { version: 'HTTP/1.0' });
  const kept = 'Connection: keep-alive';
  return [
    of10(AMBIGUOUS)(wrapped, [CHUNKS], [kept, CHUNKS], NAME_AS_VALUE),
    of10()(ended, [LENGTH], [kept, LENGTH], []),
    of10(NEXT)((x) => `{}${x.hidden}`, [kept, 'Content-Length: 2']),
    ...INPUTS.versions.flatMap((version) => [
      family('version', AMBIGUOUS, { version })(wrapped, [CHUNKS]),
      // Node's parser returns only the number, and HTTP/1.0 with a length has one meaning.
      family('version', { refused: version !== 'RTSP/1.0' }, { version })(ended, [LENGTH]),
    ]),
    ...INPUTS.bareLines.map((line) => family('HTTP/0.9', AMBIGUOUS)((x) => `${line}${x.hidden}`)),
  ];
}

function lines(): Framing[][] {
  const ends = family('line ends', AMBIGUOUS);
  const large = (isRefused: boolean, at?: At) => family('large head', { refused: isRefused }, at);
  const withLength = request([LENGTH], ended);
  const lf = (text: string) => text.replaceAll('\r\n', '\n');
  const cr = (text: string) => text.replaceAll('\r\n', '\r');
  const inHead = (line: string) => [line, CHUNKS];
  const withHost = (line: string, bounds?: Partial<Bounds>) => {
    const sent = request(inHead('X-A: 1'), wrapped);
    return family('host', bounds)((x) => sent(x).replace(/Host: [^\r]*\r\n/, line));
  };
  return [
    ends((x) => lf(onlyHead(x)) + wrapped(x)),
    ends((x) => lf(withLength(x).slice(0, -ended(x).length)) + ended(x)),
    ends((x) => `${onlyHead(x).slice(0, -2)}\n${wrapped(x)}`),
    family('line ends', { ...AMBIGUOUS, waits: true })((x) => cr(onlyHead(x)) + wrapped(x)),
    family('line ends')((x) => `\r\n\r\n${onlyHead(x)}${wrapped(x)}`),
    family('line ends', AMBIGUOUS, { path: `${LOGIN}\r\nX: y` })(hidden, []),
    family('odd line', AMBIGUOUS)(wrapped, ...INPUTS.oddLines.map(inHead)),
    family('legal line')(wrapped, ...INPUTS.legalLines.map(inHead)),
    ...[...INPUTS.hosts, ...INPUTS.names].map((value) => withHost(`Host: ${value}\r\n`)),
    withHost('', AMBIGUOUS),
    ...[20_000, 70_000, 300_000].flatMap((size) => [
      large(true)(wrapped, inHead(`X-A: ${'a'.repeat(size)}`)),
      large(size > 64 * 1024)(wrapped, inHead('X-A: 1\r\n'.repeat(size / 8).trim())),
      large(true, { path: `${LOGIN}?a=${'a'.repeat(size)}` })(hidden, [NONE]),
    ]),
    large(false)(wrapped, inHead(`X-A: ${'a'.repeat(8_000)}`)),
  ];
}

/** Makes framings of each value of one list with each of another. */
const pairs = (some: Lines, others: Lines, make: (one: string, other: string) => Framing[]): Framing[][] =>
  some.flatMap((one) => others.map((other) => make(one, other)));

/** Targets that lead to internal routes, or to another server. */
function targets(): Framing[][] {
  const filled = (text: string, { host, id, token }: Ground) =>
    Object.entries({ own: `${PROFILE}?mark=${id}`, id, host, token }).reduce(
      (all, [name, value]) => all.replaceAll(`{${name}}`, value),
      text,
    );
  return [
    ...pairs(INPUTS.ways, INPUTS.inside, (way, goal) =>
      family('target', NEXT, { method: 'GET', path: `${way}${goal}` })(hidden, [SIGNED]),
    ),
    ...pairs(INPUTS.methods, INPUTS.forms, (method, form) => {
      const top = [`${method} ${form} HTTP/1.1`, 'Host: {host}', SIGNED, NONE, '', ''].join('\r\n');
      return family('target', NEXT)((x) => filled(top, x) + x.hidden);
    }),
  ];
}

/** Only the gateway may set these for a service. */
const OURS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-request-id', 'traceparent'];

const refused = (name: string, value: string): Partial<Bounds> => ({
  refused:
    ['content-length', 'transfer-encoding'].includes(name) || (name === 'connection' && OURS.includes(value)),
});

/** Names of fields as names and values of other fields. */
function names(): Framing[][] {
  const others = INPUTS.names.filter((name) => name !== 'host');
  const upper = ['CONTENT-LENGTH', 'TRANSFER-ENCODING'];
  return [
    ...pairs(others, [...INPUTS.names, ...upper], (name, value) =>
      family('names, with chunks', refused(name, value))(wrapped, [CHUNKS, `${name}: ${value}`]),
    ),
    ...pairs(['accept', 'x-any', 'x-request-id'], INPUTS.numbers, (name, value) =>
      family('names, then a number')(wrapped, [`${name}: content-length`, `${value}: x`, CHUNKS]),
    ),
    ...pairs(others, ['transfer-encoding', 'content-length', 'connection', 'chunked'], (name, value) =>
      family('names, with a length', refused(name, value))(ended, [`${name}: ${value}`, LENGTH]),
    ),
    ...pairs(INPUTS.names, ['close, ', 'keep-alive, ', ', '], (name, value) =>
      family('names of the hop', refused('connection', name))(ended, [`Connection: ${value}${name}`, LENGTH]),
    ),
  ];
}

/** Returns all framings, always in the same order. */
export const corpus = (): Framing[] =>
  [
    ...[encodings, lengths, chunks, earlyEnds, pieces, bodiless, upgrades, expectations, earlyAnswers],
    ...[pipelines, versions, lines, targets, names],
  ].flatMap((make) => make().flat());
