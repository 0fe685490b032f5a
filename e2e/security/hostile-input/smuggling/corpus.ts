/** Requests that two parsers may read differently, each with another request hidden in it. */
import type { Bounds, Framing, Ground } from './attack.ts';
import { FIVE, INPUTS, LAST_CHUNK, LENGTH, LOGIN, NONE, PROFILE } from './inputs.ts';

type Body = (ground: Ground) => string;
type At = { method?: string; path?: string; version?: string };

const USUAL: Bounds = { refused: false, answers: 1, isHead: false, waits: false, ends: false };
const AMBIGUOUS = { refused: true };

/** Returns a function that makes the framings of one family, with shared bounds. */
const family =
  (of: string, shared: Partial<Bounds> = {}) =>
  (name: string, make: (ground: Ground) => string | string[], bounds: Partial<Bounds> = {}): Framing => ({
    family: of,
    name: `${of}: ${name}`,
    parts: (ground) => [make(ground)].flat(),
    ...USUAL,
    ...shared,
    ...bounds,
  });

/** Escapes and shortens a text for a name. */
const shown = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 40)}…(${text.length})` : text).slice(1, -1);

const each = (values: readonly string[], make: (value: string, name: string) => Framing[]): Framing[] =>
  values.flatMap((value) => make(value, shown(value)));

/** Replaces `{n}`, `{hex}` and so on by forms of a number of bytes. */
function withSize(text: string, n: number): string {
  const hex = n.toString(16);
  const padded = { hex8: hex.padStart(8, '0'), hex16: hex.padStart(16, '0') };
  const above = { above32: 2 ** 32 + n, above64: 2n ** 64n + BigInt(n) };
  const forms: Record<string, unknown> = { n, hex, HEX: hex.toUpperCase(), ...padded, ...above };
  return text.replaceAll(/\{(\w+)\}/g, (whole, form: string) => String(forms[form] ?? whole));
}

/** A head with these lines after those that every client sends. */
function head({ host, id }: Ground, lines: readonly string[], at: At = {}): string {
  const { method = 'POST', path = LOGIN, version = 'HTTP/1.1' } = at;
  const usual = [`Host: ${host}`, 'Content-Type: application/json', 'Accept: application/json'];
  const target = `${path}${path.includes('?') ? '&' : '?'}mark=${id}`;
  return `${[`${method} ${target} ${version}`, ...usual, ...lines].join('\r\n')}\r\n\r\n`;
}

/** A head and its body. In the lines, `{n}` is the length of the body and `{token}` the attacker's token. */
const request =
  (lines: readonly string[], body: Body, at: At = {}): Body =>
  (x) => {
    const sent = body(x);
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

function encodings(): Framing[] {
  const [both, odd] = [family('both lengths', AMBIGUOUS), family('odd encoding', AMBIGUOUS)];
  const [one, two] = [family('one encoding'), family('two encodings', AMBIGUOUS)];
  const te = (value: string) => `Transfer-Encoding: ${value}`;
  return [
    ...each(INPUTS.chunked, (value, name) => [
      one(name, request([`Transfer-Encoding:${value}`], wrapped)),
      both(`length, then ${name}`, request([LENGTH, te(value)], wrapped)),
      both(`${name}, then length`, request([te(value), LENGTH], wrapped)),
      both(`a length up to the hidden request, with ${name}`, request([FIVE, te(value)], ended)),
      both(`the whole length, with ${name} up to the hidden request`, request([LENGTH, te(value)], ended)),
      both(`none, with ${name}`, request([NONE, te(value)], wrapped)),
    ]),
    ...each(INPUTS.encodings, (value, name) => [
      odd(name, request([te(value)], wrapped)),
      odd(`length, then ${name}`, request([LENGTH, te(value)], ended)),
      odd(`${name}, then length`, request([te(value), LENGTH], ended)),
      two(`chunked and ${name}`, request([CHUNKS, te(value)], wrapped)),
      two(`${name} and chunked`, request([te(value), CHUNKS], wrapped)),
    ]),
    two('chunked twice', request([CHUNKS, CHUNKS], wrapped)),
    ...each(INPUTS.spellings('Transfer-Encoding'), (field, name) => [
      oddName(`${name}: chunked`, request([`${field}: chunked`], wrapped)),
      oddName(`length and ${name}: chunked`, request([LENGTH, `${field}: chunked`], ended)),
    ]),
    ...each(INPUTS.lookalikes('Transfer-Encoding'), (field, name) => [
      lookalike(`length and ${name}: chunked`, request([LENGTH, `${field}: chunked`], ended)),
    ]),
  ];
}

function lengths(): Framing[] {
  const [odd, two] = [family('odd length', AMBIGUOUS), family('two lengths', AMBIGUOUS)];
  const [zeros, spaces] = [family('zeros before the length'), family('spaces around the length')];
  const beyond = family('a length beyond all');
  return [
    ...each(INPUTS.lengths, (value, name) => [odd(name, request([`Content-Length: ${value}`], ended))]),
    ...Object.entries(INPUTS.twoLengths).map(([name, lines]) => two(name, request(lines, ended))),
    zeros('one', request(['Content-Length: 0{n}'], ended)),
    zeros('forty', request([`Content-Length: ${'0'.repeat(40)}{n}`], ended)),
    spaces('both sides', request(['Content-Length: \t {n} \t'], ended)),
    beyond('2^53', request(['Content-Length: 9007199254740993'], ended)),
    beyond('2^63', request(['Content-Length: 9223372036854775807'], ended)),
    ...each(INPUTS.spellings('Content-Length'), (field, name) => [
      oddName(`${name}: its length`, request([`${field}: {n}`], ended)),
      oddName(`${name}: its length, and another`, request([FIVE, `${field}: {n}`], ended)),
      oddName(
        `${name}: its length, and chunks`,
        (x) => head(x, [CHUNKS, `${field}: ${ended(x).length}`]) + wrapped(x),
      ),
    ]),
    ...each(INPUTS.lookalikes('Content-Length'), (field, name) => [
      lookalike(`${name}: a length, and chunks`, request([CHUNKS, `${field}: 5`], wrapped)),
    ]),
  ];
}

const BODY = '{"phone_no":"1"}';
/** A whole chunk, without the line break after it. */
const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}`;

function chunks(): Framing[] {
  // Correct chunks end where the hidden request begins: it is then the client's next request.
  const of =
    (name: string) =>
    (what: string, body: Body, answers = 2): Framing =>
      family(name, { answers })(what, request([CHUNKS], body));
  const [afterSize, overHidden] = [of('after a size'), of('after a size, over a hidden request')];
  const [oddSize, overSize] = [of('odd size'), of('odd size over a hidden request')];
  const [afterChunk, thenHidden] = [of('after a chunk'), of('after a chunk, a hidden request')];
  const [afterLast, last, small] = [of('after the last size'), of('last chunk'), of('small chunks')];
  const [trailer, announced] = [of('trailer'), family('trailer, announced', { answers: 2 })];
  /** The hidden request in a chunk, with a text for its size. */
  const over = (x: Ground, size: string) =>
    `${withSize(size, ended(x).length)}\r\n${ended(x)}\r\n${LAST_CHUNK}`;
  return [
    ...each(INPUTS.extensions, (text, name) => [
      afterSize(name, (x) => `${withSize(`{hex}${text}`, BODY.length)}\r\n${BODY}\r\n${ended(x)}`),
      overHidden(name, (x) => over(x, `{hex}${text}`), text.includes('\n') ? 2 : 1),
      afterLast(name, (x) => `${CHUNK}\r\n0${text}\r\n\r\n${x.hidden}`),
    ]),
    ...each(INPUTS.sizes, (size, name) => [
      oddSize(name, (x) => `${withSize(size, BODY.length)}\r\n${BODY}\r\n${ended(x)}`),
      overSize(name, (x) => over(x, size)),
    ]),
    ...each(INPUTS.afterChunk, (text, name) => [
      afterChunk(name, (x) => `${CHUNK}${text}${ended(x)}`),
      thenHidden(name, (x) => `${CHUNK}${text}${ended(x)}\r\n\r\n`),
    ]),
    ...each(INPUTS.lastChunks, (text, name) => [last(name, (x) => `${CHUNK}\r\n${text}${x.hidden}`)]),
    ...[1, 2, 7].map((size) => {
      const cut = (text: string) =>
        text.replace(RegExp(`[^]{1,${size}}`, 'g'), (part) => `${part.length}\r\n${part}\r\n`);
      return small(`of ${size}`, (x) => cut(ended(x)) + LAST_CHUNK, 1);
    }),
    ...each(INPUTS.trailers, (text, name) => {
      const body = (x: Ground) => `${CHUNK}\r\n0\r\n${text}\r\n\r\n${x.hidden}`;
      const field = /^[\w-]+(?=:)/.exec(text)?.[0] ?? 'x-any';
      return [trailer(name, body), announced(name, request([CHUNKS, `Trailer: ${field}`], body))];
    }),
  ];
}

/** The attacker disconnects within the head, the body, a chunk's size, its bytes or its end. */
function earlyEnds(): Framing[] {
  const [inChunks, withLength] = [request([CHUNKS], wrapped), request([LENGTH], ended)];
  return ['and is silent', 'and ends'].flatMap((how) => {
    const of = family('early end', { waits: true, ends: how === 'and ends' });
    return [
      ...[1, 2, 3, 4, 5, 7, 12, 20, 40, 80].flatMap((cut) => [
        of(`of chunks, by ${cut} ${how}`, (x) => inChunks(x).slice(0, -cut)),
        of(`of a length, by ${cut} ${how}`, (x) => withLength(x).slice(0, -cut)),
      ]),
      ...[1, 2, 3, 4, 30, 60].map((cut) =>
        of(`of a head, by ${cut} ${how}`, (x) => onlyHead(x).slice(0, -cut)),
      ),
      of(`of a length far beyond ${how}`, request(['Content-Length: 1000000'], hidden)),
      of(`of a chunk far beyond ${how}`, (x) => `${onlyHead(x)}fffff\r\n${x.hidden}`),
      of(`in a trailer ${how}`, (x) => `${onlyHead(x)}2\r\n{}\r\n0\r\nX-A: 1\r\n${x.hidden}`),
    ];
  });
}

/** Cuts the text in the middle of each mark, in their order. */
function cutAt(text: string, [mark, ...rest]: readonly string[]): string[] {
  if (mark === undefined) return [text];
  const to = text.indexOf(mark) + Math.ceil(mark.length / 2);
  return [text.slice(0, to), ...cutAt(text.slice(to), rest)];
}

/** A request in several writes. */
function pieces(): Framing[] {
  const [of, sent] = [family('in pieces'), request([CHUNKS], wrapped)];
  return INPUTS.breaks.map((marks) => of(marks.map(shown).join(' '), (x) => cutAt(sent(x), marks)));
}

/** Bodies of methods that have none. */
function bodiless(): Framing[] {
  return INPUTS.bodiless.flatMap((name) => {
    const [method = '', path = ''] = name.split(' ');
    const [at, isHead] = [{ method, path }, method === 'HEAD'];
    const of = family('a body where none belongs', { ...AMBIGUOUS, isHead });
    const none = family('no body where none belongs', { answers: 2, isHead });
    return [
      of(`${name}, with a length`, request([SIGNED, LENGTH], hidden, at)),
      of(`${name}, with chunks`, request([SIGNED, CHUNKS], wrapped, at)),
      of(
        `${name}, with a length of chunks`,
        request([SIGNED, LENGTH], (x) => chunked(x.hidden), at),
      ),
      of(`${name}, expected`, request([SIGNED, EXPECT, LENGTH], hidden, at)),
      of(`${name}, with a name as value`, request([SIGNED, ...NAME_AS_VALUE], wrapped, at)),
      none(name, request([SIGNED, NONE], hidden, at)),
    ];
  });
}

const SOCKET = '/socket.io/?EIO=4&transport=websocket';
const [ASKED, WEBSOCKET] = ['Connection: Upgrade', 'Upgrade: websocket'];
const [KEY, V13] = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];
const HANDSHAKES: readonly (readonly [name: string, lines: readonly string[], at?: At])[] = [
  ...INPUTS.protocols.map((name) => [name, [ASKED, `Upgrade: ${name}`, KEY, V13]] as const),
  ['h2c with settings', [`${ASKED}, HTTP2-Settings`, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
  ...INPUTS.socketVersions.map(
    (version) =>
      [`version ${version}`, [ASKED, WEBSOCKET, KEY, `Sec-WebSocket-Version: ${version}`]] as const,
  ),
  ['websocket without a version', [ASKED, WEBSOCKET, KEY]],
  ['websocket without a key', [ASKED, WEBSOCKET, V13]],
  ...INPUTS.socketKeys.map(
    (key) => [`key ${shown(key)}`, [ASKED, WEBSOCKET, V13, `Sec-WebSocket-Key: ${key}`]] as const,
  ),
  ['websocket by POST', [ASKED, WEBSOCKET, KEY, V13], { method: 'POST' }],
  ['websocket in HTTP/1.0', [ASKED, WEBSOCKET, KEY, V13], { version: 'HTTP/1.0' }],
  ['websocket with a name as value', [ASKED, WEBSOCKET, KEY, V13, 'X-Any: content-length']],
  ['no Connection: Upgrade', [WEBSOCKET, KEY, V13]],
  ['no Upgrade', [ASKED, KEY, V13]],
];

/** Handshakes that fail, followed by bytes as if they had succeeded. */
function upgrades(): Framing[] {
  const of = family('upgrade');
  // A server may ignore the upgrade: the rest is then the client's next request.
  const next = { answers: 2 };
  const then = (x: Ground) => `${x.hidden}\r\n\r\n`;
  const paths = [SOCKET, '/socket.io/?EIO=4&transport=polling', '/socket.io/x', PROFILE, '/metrics', '/'];
  return HANDSHAKES.flatMap(([what, lines, how]) =>
    paths.flatMap((path) => {
      const [name, at] = [`${what} at ${path}`, { method: 'GET', ...how, path }];
      const first = of(`${name}, then a request`, headFirst(request(lines, then, at)), next);
      if (path !== SOCKET && path !== PROFILE) return [first];
      return [
        first,
        of(`${name}, with a request at once`, request(lines, then, at), next),
        of(`${name}, with chunks`, request([...lines, CHUNKS], wrapped, at)),
        of(`${name}, with a length`, request([...lines, LENGTH], hidden, at)),
      ];
    }),
  );
}

/** Bodies that are sent before the server has asked for them, and bodies of refused requests. */
function expectations(): Framing[] {
  const [expect, refused] = [family('expect'), family('refused with a body')];
  return [
    ...each(INPUTS.expectations, (value, name) => [
      expect(`${name}, with chunks at once`, request([`Expect: ${value}`, CHUNKS], wrapped)),
      expect(`${name}, with a length at once`, request([`Expect: ${value}`, LENGTH], ended)),
      expect(`${name}, with an empty body`, request([`Expect: ${value}`, NONE], hidden), { answers: 2 }),
      expect(`${name}, and both lengths`, request([`Expect: ${value}`, FIVE, CHUNKS], ended), AMBIGUOUS),
    ]),
    ...Object.entries(INPUTS.refused).flatMap(([what, at]) => [
      refused(`${what}, a length`, request([LENGTH], hidden, at)),
      refused(`${what}, chunks`, request([CHUNKS], wrapped, at)),
      refused(`${what}, an expected length`, headFirst(request([EXPECT, LENGTH], hidden, at))),
      refused(`${what}, expected chunks`, headFirst(request([EXPECT, CHUNKS], wrapped, at))),
      refused(`${what}, a name as value`, request(NAME_AS_VALUE, wrapped, at)),
    ]),
  ];
}

/** Bodies that are still being sent when the service has answered; shorter than their length, or longer. */
function earlyAnswers(): Framing[] {
  const of = family('answered early');
  const at = { path: `${LOGIN}?early=1` };
  const long = (x: Ground) => ended(x).padEnd(200_000, `\r\n\r\n${x.hidden}`);
  const withLength = (x: Ground) => head(x, [`Content-Length: ${long(x).length}`], at);
  const inChunks = (x: Ground) => head(x, [CHUNKS], at);
  return [
    of('a length', (x) => [withLength(x), long(x)]),
    of('a length, in halves', (x) => [withLength(x), long(x).slice(0, 100_000), long(x).slice(100_000)]),
    of('a length, and more', (x) => [withLength(x), `${long(x)}${x.hidden}`], { answers: 2 }),
    of('a length, cut', (x) => [withLength(x), long(x).slice(0, 150_000)], { ends: true }),
    of('a length, silent', withLength),
    of('chunks', (x) => [inChunks(x), chunked(long(x))]),
    of('chunks, and more', (x) => [inChunks(x), `${chunked(long(x))}${x.hidden}`], { answers: 2 }),
    of('chunks, cut', (x) => [inChunks(x), chunked(long(x)).slice(0, 150_000)], { ends: true }),
    of('chunks, silent', inChunks),
    of('a name as value', (x) => [head(x, NAME_AS_VALUE, at), chunked(long(x))]),
  ];
}

/** Several requests in one write; the last is hidden or cut. */
function pipelines(): Framing[] {
  const of = family('pipeline');
  const closing = (text: string) => text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  const bothLengths = request([FIVE, CHUNKS], ended);
  const kinds = {
    GET: request([SIGNED], () => '', { method: 'GET', path: PROFILE }),
    POST: request(['Content-Length: 2'], () => '{}'),
    'POST in chunks': request([CHUNKS], () => chunked('{}')),
  };
  return Object.entries(kinds).flatMap(([first, make]) => [
    ...[1, 2, 5, 20].flatMap((times) => {
      const [name, bounds] = [`${times} × ${first}`, { answers: times + 1 }];
      return [
        of(`${name}, then the hidden request`, (x) => make(x).repeat(times) + x.hidden, bounds),
        of(`${name}, then nonsense`, (x) => `${make(x).repeat(times)}\0\r\n\r\n${x.hidden}`, bounds),
      ];
    }),
    ...Object.entries(kinds).map(([second, then]) =>
      of(`${first}, ${second}, then both lengths`, (x) => make(x) + then(x) + bothLengths(x), { answers: 3 }),
    ),
    of(`${first}, then empty lines`, (x) => `${make(x)}${'\r\n'.repeat(5)}${x.hidden}`, { answers: 2 }),
    of(`${first} that closes, then another`, (x) => closing(make(x)) + make(x) + x.hidden),
  ]);
}

function versions(): Framing[] {
  const [of10, of09] = [family('HTTP/1.0'), family('HTTP/0.9', AMBIGUOUS)];
  const odd = family('version', AMBIGUOUS);
  const [at, kept] = [{ version: 'HTTP/1.0' }, 'Connection: keep-alive'];
  const then = (x: Ground) => `{}${x.hidden}`;
  return [
    of10('with chunks', request([CHUNKS], wrapped, at), AMBIGUOUS),
    of10('kept open, with chunks', request([kept, CHUNKS], wrapped, at), AMBIGUOUS),
    of10('with chunks and a name as value', request(NAME_AS_VALUE, wrapped, at), AMBIGUOUS),
    of10('with a length', request([LENGTH], ended, at)),
    of10('kept open, with a length', request([kept, LENGTH], ended, at)),
    of10('kept open, then another', request([kept, 'Content-Length: 2'], then, at), { answers: 2 }),
    of10('without a length', request([], ended, at)),
    ...each(INPUTS.versions, (version, name) => [
      odd(`${name} with chunks`, request([CHUNKS], wrapped, { version })),
      // Node's parser returns only the number, and HTTP/1.0 with a length has one meaning.
      odd(`${name} with a length`, request([LENGTH], ended, { version }), {
        refused: version !== 'RTSP/1.0',
      }),
    ]),
    ...each(INPUTS.bareLines, (line, name) => [of09(name, (x) => `${line}${x.hidden}`)]),
  ];
}

function lines(): Framing[] {
  const [ends, large] = [family('line ends', AMBIGUOUS), family('large head', AMBIGUOUS)];
  const [odd, legal, host] = [family('odd line', AMBIGUOUS), family('legal line'), family('host')];
  const withLength = (x: Ground) => head(x, [`Content-Length: ${ended(x).length}`]);
  const cr = (text: string) => text.replaceAll('\r\n', '\r');
  const lf = (text: string) => text.replaceAll('\r\n', '\n');
  const inHead = (line: string) => request([line, CHUNKS], wrapped);
  const withHost = (line: string) => (x: Ground) => inHead('X-A: 1')(x).replace(/Host: [^\r]*\r\n/, line);
  return [
    ends('LF alone in the whole head, chunks', (x) => lf(onlyHead(x)) + wrapped(x)),
    ends('LF alone in the whole head, a length', (x) => lf(withLength(x)) + ended(x)),
    ends('CR alone in the whole head', (x) => cr(onlyHead(x)) + wrapped(x), { waits: true }),
    ends('LF alone at the end of the head', (x) => `${onlyHead(x).slice(0, -2)}\n${wrapped(x)}`),
    ends('empty lines before', (x) => `\r\n\r\n${onlyHead(x)}${wrapped(x)}`, { refused: false }),
    ends('a line break in the target', request([], hidden, { path: `${LOGIN}\r\nX: y` })),
    ...each(INPUTS.oddLines, (line, name) => [odd(name, inHead(line))]),
    ...each(INPUTS.legalLines, (line, name) => [legal(name, inHead(line))]),
    ...each(INPUTS.hosts, (value, name) => [host(name, withHost(`Host: ${value}\r\n`))]),
    host('none', withHost(''), AMBIGUOUS),
    ...[20_000, 70_000, 300_000].flatMap((size) => [
      large(`a value of ${size}`, inHead(`X-A: ${'a'.repeat(size)}`)),
      large(`names of ${size}`, inHead('X-A: 1\r\n'.repeat(size / 8).trim()), { refused: size > 64 * 1024 }),
      large(`a target of ${size}`, request([NONE], hidden, { path: `${LOGIN}?a=${'a'.repeat(size)}` })),
    ]),
    large('a value of 8000', inHead(`X-A: ${'a'.repeat(8_000)}`), { refused: false }),
  ];
}

/** Targets that lead to internal routes, or to another server. */
function targets(): Framing[] {
  const target = family('target', { answers: 2 });
  const filled = (text: string, { host, id, token }: Ground) =>
    Object.entries({ own: `${PROFILE}?mark=${id}`, id, host, token }).reduce(
      (all, [name, value]) => all.replaceAll(`{${name}}`, value),
      text,
    );
  return [
    ...INPUTS.ways.flatMap((way) =>
      INPUTS.inside.map((goal) =>
        target(`GET ${way}${goal}`, request([SIGNED], hidden, { method: 'GET', path: `${way}${goal}` })),
      ),
    ),
    ...each(INPUTS.methods, (method, name) =>
      INPUTS.forms.map((form, at) => {
        const top = [`${method} ${form} HTTP/1.1`, 'Host: {host}', SIGNED, NONE, '', ''].join('\r\n');
        return target(`${name} in form ${at}`, (x) => filled(top, x) + x.hidden);
      }),
    ),
  ];
}

/** Only the gateway may set these for a service. */
const OURS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-request-id', 'traceparent'];

const refused = (name: string, value: string): Partial<Bounds> => ({
  refused:
    ['content-length', 'transfer-encoding'].includes(name) || (name === 'connection' && OURS.includes(value)),
});

/** Adds the line at the end of the head; `Host` is replaced, because a second one would be another fault. */
const withLine = (name: string, value: string, text: string): string =>
  name === 'host'
    ? text.replace(/\r\nHost: [^\r]*/, `\r\nhost: ${value}`)
    : text.replace('\r\n\r\n', `\r\n${name}: ${value}\r\n\r\n`);

/** Names of fields as names and values of other fields. */
function names(): Framing[] {
  const [chunks, length] = [family('names, with chunks'), family('names, with a length')];
  const [number, hop] = [family('names, then a number'), family('names of the hop')];
  const [all, others] = [INPUTS.names, INPUTS.names.filter((name) => name !== 'host')];
  const pairs = (of: readonly string[], values: readonly string[]) =>
    of.flatMap((name) => values.map((value) => ({ name, value, line: `${name}: ${value}` })));
  return [
    ...pairs(all, [...all, 'CONTENT-LENGTH', 'TRANSFER-ENCODING']).map(({ name, value, line }) =>
      chunks(line, (x) => withLine(name, value, onlyHead(x)) + wrapped(x), refused(name, value)),
    ),
    ...pairs(['accept', 'x-any', 'x-request-id'], INPUTS.numbers).map(({ name, value }) => {
      const lines = [`${name}: content-length`, `${value}: x`];
      return number(lines.join(', '), request([...lines, CHUNKS], wrapped));
    }),
    ...pairs(others, ['transfer-encoding', 'content-length', 'connection', 'chunked']).map(
      ({ name, value, line }) => length(line, request([line, LENGTH], ended), refused(name, value)),
    ),
    ...pairs(all, ['close, ', 'keep-alive, ', ', ']).map(({ name, value }) => {
      const line = `Connection: ${value}${name}`;
      return hop(line, request([line, LENGTH], ended), { refused: OURS.includes(name) });
    }),
  ];
}

/** Returns all framings, always in the same order. */
export const corpus = (): Framing[] =>
  [
    ...[encodings, lengths, chunks, earlyEnds, pieces, bodiless, upgrades, expectations, earlyAnswers],
    ...[pipelines, versions, lines, targets, names],
  ].flatMap((make) => make());
