/** Bodies whose length is said twice, oddly, or in a way that only some parsers read. */
import {
  AMBIGUOUS,
  chunked,
  framing,
  head,
  LAST_CHUNK,
  shown,
  type Framing,
  type Ground,
} from './framing.ts';

/** The hidden request, behind what a reader of chunks takes for the end. */
const body = ({ hidden }: Ground): string => `${LAST_CHUNK}${hidden}`;
const lengthOf = (ground: Ground): number => body(ground).length;

/** Names that some parsers take for one of the two that say how long a body is. */
const spellings = (name: string): string[] => [
  `${name} `,
  `${name}\t`,
  `${name}\v`,
  `${name}\f`,
  `${name}\0`,
  `${name}\r`,
  `${name}\x85`,
  `${name}\xa0`,
  ` ${name}`,
  `\t${name}`,
  `\v${name}`,
  `\0${name}`,
  `X: y\n${name}`,
  `X: y\r${name}`,
  `X: y\n\r${name}`,
  `"${name}"`,
  `${name}:`,
  `(${name}`,
  `${name}\\`,
  name.replace('-', '\0-'),
  name.replace('-', '- '),
];
/** Legal names that mean nothing; only a careless parser takes them for the other. */
const lookalikes = (name: string): string[] => [
  name.replace('-', '_'),
  name.replace('-', ''),
  `${name}-`,
  `X-${name}`,
  `${name}s`,
  name.replace('-', '--'),
];

const ENCODINGS: readonly string[] = [
  ...['identity', 'identity, chunked', 'chunked, identity', 'chunked, chunked', 'chunked,chunked', 'gzip'],
  ...['gzip, chunked', 'chunked, gzip', 'deflate, chunked', 'compress', 'trailers, chunked', 'cow', 'x'],
  ...['cow, chunked', 'chunked, cow', 'xchunked', 'chunkedx', 'x chunked', 'chunked x', 'chunked chunked'],
  ...[
    '"chunked"',
    "'chunked'",
    '`chunked`',
    '<chunked>',
    '(chunked)',
    'chunked;',
    'chunked;q=1',
    'chunked;a="b"',
  ],
  ...[
    'chunked,',
    'chunked, ',
    ',chunked',
    ', chunked',
    ',',
    '',
    ' ',
    ';chunked',
    'chun ked',
    'chunk',
    'chunked=',
  ],
  ...[
    '\vchunked',
    '\fchunked',
    '\0chunked',
    'chunked\v',
    'chunked\f',
    'chunked\0',
    'chun\0ked',
    'chunked\x7f',
  ],
  ...['\x85chunked', '\xa0chunked', 'chunked\x85', 'chunked\xa0', '\xffchunked', 'ch\xfcnked', 'chun\x01ked'],
  ...['chunked\r', 'chunked\n', '\rchunked', '\nchunked', 'chunked\r\r', 'chunked\rX: y', 'chunked\nX: y'],
  ...['\r\n chunked', '\r\n\tchunked', 'chunked\r\n ', 'chunked\r\n ,identity', 'identity\r\n ,chunked'],
  ...[
    'content-length',
    'close',
    '0',
    '5',
    'null',
    'undefined',
    'true',
    '%63hunked',
    'chunked%00',
    'c\\hunked',
  ],
  ...[
    'chunked, \r\n identity',
    'chunked\t, identity',
    'identity,\tchunked',
    'chunked,,',
    'chunked , chunked',
  ],
];
/** The one that there is, in ways that mean the same. */
const CHUNKED: readonly string[] = [
  'chunked',
  'Chunked',
  'CHUNKED',
  'cHuNkEd',
  ' chunked',
  '\tchunked',
  'chunked ',
];

function encodings(): Framing[] {
  const te = (value: string) => `Transfer-Encoding: ${value}`;
  return [
    ...CHUNKED.flatMap((value) => [
      framing(
        'one encoding',
        shown(value),
        (x) => head(x, [`Transfer-Encoding:${value}`]) + chunked(body(x)),
      ),
      framing(
        'both lengths',
        `length, then ${shown(value)}`,
        (x) => {
          const sent = chunked(body(x));
          return head(x, [`Content-Length: ${sent.length}`, te(value)]) + sent;
        },
        AMBIGUOUS,
      ),
      framing(
        'both lengths',
        `${shown(value)}, then length`,
        (x) => {
          const sent = chunked(body(x));
          return head(x, [te(value), `Content-Length: ${sent.length}`]) + sent;
        },
        AMBIGUOUS,
      ),
      framing(
        'both lengths',
        `a length up to the hidden request, with ${shown(value)}`,
        (x) => head(x, ['Content-Length: 5', te(value)]) + body(x),
        AMBIGUOUS,
      ),
      framing(
        'both lengths',
        `the whole length, with ${shown(value)} up to the hidden request`,
        (x) => head(x, [`Content-Length: ${lengthOf(x)}`, te(value)]) + body(x),
        AMBIGUOUS,
      ),
      framing(
        'both lengths',
        `none, with ${shown(value)}`,
        (x) => head(x, ['Content-Length: 0', te(value)]) + chunked(body(x)),
        AMBIGUOUS,
      ),
    ]),
    ...ENCODINGS.flatMap((value) => [
      framing('odd encoding', shown(value), (x) => head(x, [te(value)]) + chunked(body(x)), AMBIGUOUS),
      framing(
        'odd encoding',
        `length, then ${shown(value)}`,
        (x) => head(x, [`Content-Length: ${lengthOf(x)}`, te(value)]) + body(x),
        AMBIGUOUS,
      ),
      framing(
        'odd encoding',
        `${shown(value)}, then length`,
        (x) => head(x, [te(value), `Content-Length: ${lengthOf(x)}`]) + body(x),
        AMBIGUOUS,
      ),
      framing(
        'two encodings',
        `chunked and ${shown(value)}`,
        (x) => head(x, [te('chunked'), te(value)]) + chunked(body(x)),
        AMBIGUOUS,
      ),
      framing(
        'two encodings',
        `${shown(value)} and chunked`,
        (x) => head(x, [te(value), te('chunked')]) + chunked(body(x)),
        AMBIGUOUS,
      ),
    ]),
    framing(
      'two encodings',
      'chunked twice',
      (x) => head(x, [te('chunked'), te('chunked')]) + chunked(body(x)),
      AMBIGUOUS,
    ),
    ...spellings('Transfer-Encoding').flatMap((name) => [
      framing(
        'odd name',
        `${shown(name)}: chunked`,
        (x) => head(x, [`${name}: chunked`]) + chunked(body(x)),
        AMBIGUOUS,
      ),
      framing(
        'odd name',
        `length and ${shown(name)}: chunked`,
        (x) => head(x, [`Content-Length: ${lengthOf(x)}`, `${name}: chunked`]) + body(x),
        AMBIGUOUS,
      ),
    ]),
    ...lookalikes('Transfer-Encoding').map((name) =>
      framing(
        'lookalike',
        `length and ${shown(name)}: chunked`,
        (x) => head(x, [`Content-Length: ${lengthOf(x)}`, `${name}: chunked`]) + body(x),
      ),
    ),
  ];
}

/** Invalid lengths, made from the real one. */
const oddLengths = (n: number): string[] => [
  ...[`+${n}`, `-${n}`, '-0', '-1', `0x${n.toString(16)}`, `${n}.0`, `${n}e0`, `${n}_`, `1_${n}`, `${n},`],
  ...[
    `${n}, ${n}`,
    `${n},${n}`,
    `${n}, 0`,
    `0, ${n}`,
    `${n} ${n}`,
    `${n};`,
    `${n};q=1`,
    `"${n}"`,
    `'${n}'`,
    '',
  ],
  ...['NaN', 'Infinity', 'five', 'null', 'undefined', 'chunked', 'content-length', '18446744073709551616'],
  ...[`${18_446_744_073_709_551_616n + BigInt(n)}`, `${4_294_967_296n + BigInt(n)}e`, `${'9'.repeat(400)}`],
  ...[
    `\v${n}`,
    `${n}\v`,
    `\f${n}`,
    `${n}\f`,
    `\0${n}`,
    `${n}\0`,
    `\xa0${n}`,
    `${n}\xa0`,
    `${n}\x85`,
    `${n}\x7f`,
  ],
  ...[
    `\r${n}`,
    `${n}\r`,
    `\n${n}`,
    `${n}\n`,
    `\r\n ${n}`,
    `${n}\r\n `,
    `${n}\r\n 0`,
    `0\r\n ${n}`,
    `${n}\rX: y`,
  ],
  ...[`${n}\nX: y`, `(${n})`, `[${n}]`, `${n}/1`, `${n}%`, `=${n}`, `:${n}`, `\xb9${n}`, `0b101`, `0o5`],
];

function lengths(): Framing[] {
  // The list has as many entries whatever the length: the hidden request is known when the bytes are made.
  const odd = oddLengths(5).map((value, at) =>
    framing(
      'odd length',
      `${at} ${shown(value)}`,
      (x) => `${head(x, [`Content-Length: ${oddLengths(lengthOf(x))[at]}`])}${body(x)}`,
      AMBIGUOUS,
    ),
  );
  const pair = (name: string, lines: (n: number) => string[]) =>
    framing('two lengths', name, (x) => head(x, lines(lengthOf(x))) + body(x), AMBIGUOUS);
  return [
    ...odd,
    pair('the same twice', (n) => [`Content-Length: ${n}`, `Content-Length: ${n}`]),
    pair('the same thrice', (n) => Array.from({ length: 3 }, () => `Content-Length: ${n}`)),
    pair('none, then all', (n) => ['Content-Length: 0', `Content-Length: ${n}`]),
    pair('all, then none', (n) => [`Content-Length: ${n}`, 'Content-Length: 0']),
    pair('up to the hidden request, then all', (n) => ['Content-Length: 5', `Content-Length: ${n}`]),
    pair('all, then up to the hidden request', (n) => [`Content-Length: ${n}`, 'Content-Length: 5']),
    pair('in two spellings', (n) => ['content-length: 5', `CONTENT-LENGTH: ${n}`]),
    pair('with a line between', (n) => ['Content-Length: 5', 'X-Between: 1', `Content-Length: ${n}`]),
    pair('the same with zeros', (n) => [`Content-Length: ${n}`, `Content-Length: 0${n}`]),
    pair('one of them empty', (n) => ['Content-Length:', `Content-Length: ${n}`]),
    framing('zeros before the length', 'one', (x) => head(x, [`Content-Length: 0${lengthOf(x)}`]) + body(x)),
    framing(
      'zeros before the length',
      'forty',
      (x) => head(x, [`Content-Length: ${'0'.repeat(40)}${lengthOf(x)}`]) + body(x),
    ),
    framing(
      'spaces around the length',
      'both sides',
      (x) => head(x, [`Content-Length: \t ${lengthOf(x)} \t`]) + body(x),
    ),
    framing('a length beyond all', '2^53', (x) => head(x, ['Content-Length: 9007199254740993']) + body(x)),
    framing('a length beyond all', '2^63', (x) => head(x, ['Content-Length: 9223372036854775807']) + body(x)),
    ...spellings('Content-Length').flatMap((name) => [
      framing(
        'odd name',
        `${shown(name)}: its length`,
        (x) => head(x, [`${name}: ${lengthOf(x)}`]) + body(x),
        AMBIGUOUS,
      ),
      framing(
        'odd name',
        `${shown(name)}: its length, beside another`,
        (x) => head(x, ['Content-Length: 5', `${name}: ${lengthOf(x)}`]) + body(x),
        AMBIGUOUS,
      ),
      framing(
        'odd name',
        `${shown(name)}: its length, beside chunks`,
        (x) => head(x, ['Transfer-Encoding: chunked', `${name}: ${lengthOf(x)}`]) + chunked(body(x)),
        AMBIGUOUS,
      ),
    ]),
    ...lookalikes('Content-Length').map((name) =>
      framing(
        'lookalike',
        `${shown(name)}: a length, beside chunks`,
        (x) => head(x, ['Transfer-Encoding: chunked', `${name}: 5`]) + chunked(body(x)),
      ),
    ),
  ];
}

export const lengthFramings = (): Framing[] => [...encodings(), ...lengths()];
