/** Requests that two parsers may read differently, each with a request of its own hidden in it. */
import {
  AMBIGUOUS,
  chunked,
  CHUNKS,
  ended,
  family,
  FIVE,
  head,
  hidden,
  LAST_CHUNK,
  LENGTH,
  LOGIN,
  NONE,
  onlyHead,
  PROFILE,
  request,
  shown,
  SIGNED,
  wrapped,
  type Bounds,
  type Framing,
  type Ground,
} from './framing.ts';
import { INPUTS } from './inputs.ts';

const [oddName, lookalike] = [family('odd name', AMBIGUOUS), family('lookalike')];

function encodings(): Framing[] {
  const [both, odd] = [family('both lengths', AMBIGUOUS), family('odd encoding', AMBIGUOUS)];
  const [one, two] = [family('one encoding'), family('two encodings', AMBIGUOUS)];
  return [
    ...INPUTS.chunked.flatMap((value) => {
      const [name, te] = [shown(value), `Transfer-Encoding: ${value}`];
      return [
        one(name, request([`Transfer-Encoding:${value}`], wrapped)),
        both(`length, then ${name}`, request([LENGTH, te], wrapped)),
        both(`${name}, then length`, request([te, LENGTH], wrapped)),
        both(`a length up to the hidden request, with ${name}`, request([FIVE, te], ended)),
        both(`the whole length, with ${name} up to the hidden request`, request([LENGTH, te], ended)),
        both(`none, with ${name}`, request([NONE, te], wrapped)),
      ];
    }),
    ...INPUTS.encodings.flatMap((value) => {
      const [name, te] = [shown(value), `Transfer-Encoding: ${value}`];
      return [
        odd(name, request([te], wrapped)),
        odd(`length, then ${name}`, request([LENGTH, te], ended)),
        odd(`${name}, then length`, request([te, LENGTH], ended)),
        two(`chunked and ${name}`, request([CHUNKS, te], wrapped)),
        two(`${name} and chunked`, request([te, CHUNKS], wrapped)),
      ];
    }),
    two('chunked twice', request([CHUNKS, CHUNKS], wrapped)),
    ...INPUTS.spellings('Transfer-Encoding').flatMap((name) => [
      oddName(`${shown(name)}: chunked`, request([`${name}: chunked`], wrapped)),
      oddName(`length and ${shown(name)}: chunked`, request([LENGTH, `${name}: chunked`], ended)),
    ]),
    ...INPUTS.lookalikes('Transfer-Encoding').map((name) =>
      lookalike(`length and ${shown(name)}: chunked`, request([LENGTH, `${name}: chunked`], ended)),
    ),
  ];
}

function lengths(): Framing[] {
  const [odd, two] = [family('odd length', AMBIGUOUS), family('two lengths', AMBIGUOUS)];
  const [zeros, spaces] = [family('zeros before the length'), family('spaces around the length')];
  const beyond = family('a length beyond all');
  const size = (x: Ground) => ended(x).length;
  return [
    // The hidden request, and with it the length, is known when the bytes are made.
    ...INPUTS.lengths(5).map((value, at) =>
      odd(
        `${at} ${shown(value)}`,
        (x) => head(x, [`Content-Length: ${INPUTS.lengths(size(x))[at]}`]) + ended(x),
      ),
    ),
    ...Object.entries(INPUTS.twoLengths).map(([name, lines]) => two(name, request(lines, ended))),
    zeros('one', request(['Content-Length: 0{n}'], ended)),
    zeros('forty', request([`Content-Length: ${'0'.repeat(40)}{n}`], ended)),
    spaces('both sides', request(['Content-Length: \t {n} \t'], ended)),
    beyond('2^53', request(['Content-Length: 9007199254740993'], ended)),
    beyond('2^63', request(['Content-Length: 9223372036854775807'], ended)),
    ...INPUTS.spellings('Content-Length').flatMap((name) => [
      oddName(`${shown(name)}: its length`, request([`${name}: {n}`], ended)),
      oddName(`${shown(name)}: its length, beside another`, request([FIVE, `${name}: {n}`], ended)),
      oddName(
        `${shown(name)}: its length, beside chunks`,
        (x) => head(x, [CHUNKS, `${name}: ${size(x)}`]) + wrapped(x),
      ),
    ]),
    ...INPUTS.lookalikes('Content-Length').map((name) =>
      lookalike(`${shown(name)}: a length, beside chunks`, request([CHUNKS, `${name}: 5`], wrapped)),
    ),
  ];
}

const hex = (text: string): string => text.length.toString(16);
const BODY = '{"phone_no":"1"}';
/** A whole chunk, without its end. */
const CHUNK = `${hex(BODY)}\r\n${BODY}`;

function chunks(): Framing[] {
  // Whole and correct chunks end where the hidden request begins, which is then the client's next one.
  const of = (name: string) => {
    const make = family(name, { answers: 2 });
    return (what: string, body: (x: Ground) => string, bounds: Partial<Bounds> = {}) =>
      make(what, request([CHUNKS], body), bounds);
  };
  const [behindSize, overHidden] = [of('behind a size'), of('behind a size, over a hidden request')];
  const [oddSize, overSize] = [of('odd size'), of('odd size over a hidden request')];
  const [behindChunk, thenHidden] = [of('behind a chunk'), of('behind a chunk, a hidden request')];
  const behindLast = of('behind the last size');
  const [last, small, trailer] = [of('last chunk'), of('small chunks'), of('trailer')];
  const announced = family('trailer, announced', { answers: 2 });
  return [
    ...INPUTS.extensions.flatMap((text, at) => {
      const name = `${at} ${shown(text)}`;
      return [
        behindSize(name, (x) => `${hex(BODY)}${text}\r\n${BODY}\r\n${ended(x)}`),
        overHidden(name, (x) => `${hex(ended(x))}${text}\r\n${ended(x)}\r\n${LAST_CHUNK}`, {
          answers: text.includes('\n') ? 2 : 1,
        }),
        behindLast(name, (x) => `${CHUNK}\r\n0${text}\r\n\r\n${x.hidden}`),
      ];
    }),
    ...INPUTS.sizes(16).flatMap((size, at) => {
      const name = `${at} ${shown(size)}`;
      return [
        oddSize(name, (x) => `${size}\r\n${BODY}\r\n${ended(x)}`),
        overSize(name, (x) => `${INPUTS.sizes(ended(x).length)[at]}\r\n${ended(x)}\r\n${LAST_CHUNK}`),
      ];
    }),
    ...INPUTS.afterChunk.flatMap((text) => [
      behindChunk(shown(text), (x) => `${CHUNK}${text}${ended(x)}`),
      thenHidden(shown(text), (x) => `${CHUNK}${text}${ended(x)}\r\n\r\n`),
    ]),
    ...INPUTS.lastChunks.map((text) => last(shown(text), (x) => `${CHUNK}\r\n${text}${x.hidden}`)),
    ...[1, 2, 7].map((size) => {
      const cut = (text: string) =>
        text.replace(RegExp(`[^]{1,${size}}`, 'g'), (part) => `${hex(part)}\r\n${part}\r\n`);
      return small(`of ${size}`, (x) => cut(ended(x)) + LAST_CHUNK, { answers: 1 });
    }),
    ...INPUTS.trailers.flatMap((text, at) => {
      const body = (x: Ground) => `${CHUNK}\r\n0\r\n${text}\r\n\r\n${x.hidden}`;
      // A trailer without a name is announced by another one.
      const name = /^[\w-]+(?=:)/.exec(text)?.[0] ?? 'x-any';
      return [
        trailer(`${at} ${shown(text)}`, body),
        announced(`${at} ${shown(text)}`, request([CHUNKS, `Trailer: ${name}`], body)),
      ];
    }),
  ];
}

/** The attacker goes away in the head, a length, a chunk's size, its bytes or its end. */
function earlyEnds(): Framing[] {
  const [whole, sized] = [request([CHUNKS], wrapped), request([LENGTH], ended)];
  return ['and is silent', 'and ends'].flatMap((how) => {
    const of = family('early end', { waits: true, ends: how === 'and ends' });
    return [
      ...[1, 2, 3, 4, 5, 7, 12, 20, 40, 80].flatMap((cut) => [
        of(`of chunks, by ${cut} ${how}`, (x) => whole(x).slice(0, -cut)),
        of(`of a length, by ${cut} ${how}`, (x) => sized(x).slice(0, -cut)),
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

/** Cuts the text in the middle of each mark; each mark is after the one before. */
function cutAt(text: string, [mark, ...rest]: readonly string[]): string[] {
  if (mark === undefined) return [text];
  const to = text.indexOf(mark) + Math.ceil(mark.length / 2);
  return [text.slice(0, to), ...cutAt(text.slice(to), rest)];
}

/** The same bytes in writes that break in odd places. */
function pieces(): Framing[] {
  const [of, sent] = [family('in pieces'), request([CHUNKS], wrapped)];
  return INPUTS.breaks.map((marks) => of(marks.map(shown).join(' '), (x) => cutAt(sent(x), marks)));
}

const [EXPECT, NAME_AS_VALUE] = ['Expect: 100-continue', ['X-Any: content-length', CHUNKS]] as const;

/** A body where the method has none. */
function bodiless(): Framing[] {
  return INPUTS.bodiless.flatMap((name) => {
    const [method = '', path = ''] = name.split(' ');
    const [at, isHead] = [{ method, path }, method === 'HEAD'];
    const asChunk = (x: Ground) => chunked(x.hidden);
    const of = family('a body where none belongs', { ...AMBIGUOUS, isHead });
    const none = family('no body where none belongs', { answers: 2, isHead });
    return [
      of(`${name}, with a length`, request([SIGNED, LENGTH], hidden, at)),
      of(`${name}, with chunks`, request([SIGNED, CHUNKS], wrapped, at)),
      of(`${name}, with a length of chunks`, request([SIGNED, LENGTH], asChunk, at)),
      of(`${name}, expected`, request([SIGNED, EXPECT, LENGTH], hidden, at)),
      of(`${name}, with a name as value`, request([SIGNED, ...NAME_AS_VALUE], wrapped, at)),
      none(name, request([SIGNED, NONE], hidden, at)),
    ];
  });
}

const SOCKET = '/socket.io/?EIO=4&transport=websocket';
const [ASKED, WEBSOCKET] = ['Connection: Upgrade', 'Upgrade: websocket'];
const [KEY, V13] = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];

type Handshake = readonly [name: string, lines: readonly string[], at?: Parameters<typeof head>[2]];
const HANDSHAKES: readonly Handshake[] = [
  ...INPUTS.protocols.map((name): Handshake => [name, [ASKED, `Upgrade: ${name}`, KEY, V13]]),
  ['h2c with settings', [`${ASKED}, HTTP2-Settings`, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
  ...INPUTS.socketVersions.map((version): Handshake => [
    `websocket of version ${version}`,
    [ASKED, WEBSOCKET, KEY, `Sec-WebSocket-Version: ${version}`],
  ]),
  ['websocket without a version', [ASKED, WEBSOCKET, KEY]],
  ['websocket without a key', [ASKED, WEBSOCKET, V13]],
  ...INPUTS.socketKeys.map((key): Handshake => [
    `websocket with the key ${shown(key)}`,
    [ASKED, WEBSOCKET, V13, `Sec-WebSocket-Key: ${key}`],
  ]),
  ['websocket by POST', [ASKED, WEBSOCKET, KEY, V13], { method: 'POST' }],
  ['websocket in HTTP/1.0', [ASKED, WEBSOCKET, KEY, V13], { version: 'HTTP/1.0' }],
  ['websocket with a name as value', [ASKED, WEBSOCKET, KEY, V13, 'X-Any: content-length']],
  ['upgrade without saying so', [WEBSOCKET, KEY, V13]],
  ['saying so without one', [ASKED, KEY, V13]],
];

/** Handshakes that fail, followed by bytes as if they had not. */
function upgrades(): Framing[] {
  const of = family('upgrade');
  // A server may go on as if no upgrade had been asked for: the rest is then the client's next request.
  const next = { answers: 2 };
  const behind = (x: Ground) => `${x.hidden}\r\n\r\n`;
  const paths = [SOCKET, '/socket.io/?EIO=4&transport=polling', '/socket.io/x', PROFILE, '/metrics', '/'];
  return HANDSHAKES.flatMap(([what, lines, how]) =>
    paths.flatMap((path) => {
      const [name, at] = [`${what} at ${path}`, { method: 'GET', ...how, path }];
      const first = of(`${name}, then a request`, (x) => [head(x, lines, at), behind(x)], next);
      if (path !== SOCKET && path !== PROFILE) return [first];
      return [
        first,
        of(`${name}, with a request at once`, request(lines, behind, at), next),
        of(`${name}, with chunks`, request([...lines, CHUNKS], wrapped, at)),
        of(`${name}, with a length`, request([...lines, LENGTH], hidden, at)),
      ];
    }),
  );
}

/** A body that is sent before it may be, and the rest of requests that are refused. */
function expectations(): Framing[] {
  const [expect, refused] = [family('expect'), family('refused with a body')];
  return [
    ...INPUTS.expectations.flatMap((value) => {
      const [name, line] = [shown(value), `Expect: ${value}`];
      return [
        expect(`${name}, with chunks at once`, request([line, CHUNKS], wrapped)),
        expect(`${name}, with a length at once`, request([line, LENGTH], ended)),
        expect(`${name}, with nothing to wait for`, request([line, NONE], hidden), { answers: 2 }),
        expect(`${name}, and both lengths`, request([line, FIVE, CHUNKS], ended), AMBIGUOUS),
      ];
    }),
    ...Object.entries(INPUTS.refused).flatMap(([what, at]) => [
      refused(`${what}, a length`, request([LENGTH], hidden, at)),
      refused(`${what}, chunks`, request([CHUNKS], wrapped, at)),
      refused(`${what}, a length that is waited for`, (x) => [
        head(x, [EXPECT, `Content-Length: ${x.hidden.length}`], at),
        x.hidden,
      ]),
      refused(`${what}, chunks that are waited for`, (x) => [head(x, [EXPECT, CHUNKS], at), wrapped(x)]),
      refused(`${what}, a name as value`, request(NAME_AS_VALUE, wrapped, at)),
    ]),
  ];
}

/** Bodies that are still on their way when the service has answered; shorter than their length, or longer. */
function earlyAnswers(): Framing[] {
  const of = family('answered early');
  const at = { path: `${LOGIN}?early=1` };
  const long = (x: Ground) => ended(x).padEnd(200_000, `\r\n\r\n${x.hidden}`);
  const sized = (x: Ground) => head(x, [`Content-Length: ${long(x).length}`], at);
  const inChunks = (x: Ground) => head(x, [CHUNKS], at);
  return [
    of('a length', (x) => [sized(x), long(x)]),
    of('a length, in halves', (x) => [sized(x), long(x).slice(0, 100_000), long(x).slice(100_000)]),
    of('a length, and more', (x) => [sized(x), `${long(x)}${x.hidden}`], { answers: 2 }),
    of('a length, cut', (x) => [sized(x), long(x).slice(0, 150_000)], { ends: true }),
    of('a length, silent', sized),
    of('chunks', (x) => [inChunks(x), chunked(long(x))]),
    of('chunks, and more', (x) => [inChunks(x), `${chunked(long(x))}${x.hidden}`], { answers: 2 }),
    of('chunks, cut', (x) => [inChunks(x), chunked(long(x)).slice(0, 150_000)], { ends: true }),
    of('chunks, silent', inChunks),
    of('a name as value', (x) => [head(x, NAME_AS_VALUE, at), chunked(long(x))]),
  ];
}

/** Several requests in one write, the last of them hidden or cut. */
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

const NO_HOST = /Host: [^\r]*\r\n/;
const KEPT = 'Connection: keep-alive';

function versions(): Framing[] {
  const [of10, of09] = [family('HTTP/1.0'), family('HTTP/0.9', AMBIGUOUS)];
  const odd = family('version', AMBIGUOUS);
  const at = { version: 'HTTP/1.0' };
  const then = (x: Ground) => `{}${x.hidden}`;
  return [
    of10('with chunks', request([CHUNKS], wrapped, at), AMBIGUOUS),
    of10('kept open, with chunks', request([KEPT, CHUNKS], wrapped, at), AMBIGUOUS),
    of10('with chunks and a name as value', request(NAME_AS_VALUE, wrapped, at), AMBIGUOUS),
    of10('with a length', request([LENGTH], ended, at)),
    of10('kept open, with a length', request([KEPT, LENGTH], ended, at)),
    of10('kept open, then another', request([KEPT, 'Content-Length: 2'], then, at), { answers: 2 }),
    of10('without a length', request([], ended, at)),
    ...INPUTS.versions.flatMap((version) => [
      odd(`${shown(version)} with chunks`, request([CHUNKS], wrapped, { version })),
      // Node's parser gives the number alone, and 1.0 with a length has one meaning.
      odd(`${shown(version)} with a length`, request([LENGTH], ended, { version }), {
        refused: version !== 'RTSP/1.0',
      }),
    ]),
    ...INPUTS.bareLines.map((line) => of09(shown(line), (x) => `${line}${x.hidden}`)),
  ];
}

function lines(): Framing[] {
  const [ends, large] = [family('line ends', AMBIGUOUS), family('large head', AMBIGUOUS)];
  const [odd, legal, host] = [family('odd line', AMBIGUOUS), family('legal line'), family('host')];
  const sized = (x: Ground) => head(x, [`Content-Length: ${ended(x).length}`]);
  const cr = (text: string) => text.replaceAll('\r\n', '\r');
  const lf = (text: string) => text.replaceAll('\r\n', '\n');
  const inHead = (line: string) => request([line, CHUNKS], wrapped);
  const withHost = (line: string) => (x: Ground) => inHead('X-A: 1')(x).replace(NO_HOST, line);
  return [
    ends('LF alone in the whole head, chunks', (x) => lf(onlyHead(x)) + wrapped(x)),
    ends('LF alone in the whole head, a length', (x) => lf(sized(x)) + ended(x)),
    ends('CR alone in the whole head', (x) => cr(onlyHead(x)) + wrapped(x), { waits: true }),
    ends('LF alone at the end of the head', (x) => `${onlyHead(x).slice(0, -2)}\n${wrapped(x)}`),
    ends('empty lines before', (x) => `\r\n\r\n${onlyHead(x)}${wrapped(x)}`, { refused: false }),
    ends('a line break in the target', request([], hidden, { path: `${LOGIN}\r\nX: y` })),
    ...INPUTS.oddLines.map((line, at) => odd(`${at} ${shown(line)}`, inHead(line))),
    ...INPUTS.legalLines.map((line, at) => legal(`${at} ${shown(line)}`, inHead(line))),
    ...INPUTS.hosts.map((value) => host(shown(value), withHost(`Host: ${value}\r\n`))),
    host('none', withHost(''), AMBIGUOUS),
    ...[20_000, 70_000, 300_000].flatMap((size) => [
      large(`a value of ${size}`, inHead(`X-A: ${'a'.repeat(size)}`)),
      large(`names of ${size}`, inHead('X-A: 1\r\n'.repeat(size / 8).trim()), { refused: size > 64 * 1024 }),
      large(`a target of ${size}`, request([NONE], hidden, { path: `${LOGIN}?a=${'a'.repeat(size)}` })),
    ]),
    large('a value of 8000', inHead(`X-A: ${'a'.repeat(8_000)}`), { refused: false }),
  ];
}

/** Targets that lead elsewhere, or claim to. */
function targets(): Framing[] {
  const target = family('target', { answers: 2 });
  const filled = (form: string, { host, id }: Ground) =>
    form.replace('{own}', `${PROFILE}?mark={id}`).replace('{host}', host).replace('{id}', id);
  return [
    ...INPUTS.ways.flatMap((way) =>
      INPUTS.inside.map((goal) =>
        target(`GET ${way}${goal}`, request([SIGNED], hidden, { method: 'GET', path: `${way}${goal}` })),
      ),
    ),
    ...INPUTS.methods.flatMap((method) =>
      INPUTS.forms.map((form, at) =>
        target(`${shown(method)} in form ${at}`, (x) => {
          const top = [`${method} ${filled(form, x)} HTTP/1.1`, `Host: ${x.host}`, SIGNED, NONE].join('\r\n');
          return `${top.replace('{token}', x.token)}\r\n\r\n${x.hidden}`;
        }),
      ),
    ),
  ];
}

/** Only the gateway may set these for a service. */
const OURS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-request-id', 'traceparent'];

/** With one of these names, only the usual values are not ambiguous. */
const refused = (name: string, value: string): Partial<Bounds> => ({
  refused:
    /^(content-length|transfer-encoding)$/.test(name) || (name === 'connection' && OURS.includes(value)),
});

/** Adds the line at the end of the head, or in place of `Host`: a second `Host` would be another fault. */
const withLine = (name: string, value: string, text: string): string =>
  name === 'host'
    ? text.replace(/\r\nHost: [^\r]*/, `\r\nhost: ${value}`)
    : text.replace('\r\n\r\n', `\r\n${name}: ${value}\r\n\r\n`);

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
      const line = `connection: ${value}${name}`;
      return hop(line, request([line.replace('c', 'C'), LENGTH], ended), { refused: OURS.includes(name) });
    }),
  ];
}

/** All framings, always in the same order. @throws Error when two have one name */
export function corpus(): Framing[] {
  const all = [
    ...[encodings, lengths, chunks, earlyEnds, pieces, bodiless, upgrades, expectations, earlyAnswers],
    ...[pipelines, versions, lines, targets, names],
  ].flatMap((make) => make());
  const seen = new Set(all.map(({ name }) => name));
  if (seen.size < all.length) throw new Error('Two framings have the same name');
  return all;
}
