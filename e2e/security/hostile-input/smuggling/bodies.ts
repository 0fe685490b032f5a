/** Chunks that are read in several ways, what comes behind the last one, and bodies that end too early. */
import {
  chunked,
  framing,
  head,
  LAST_CHUNK,
  shown,
  type Bounds,
  type Framing,
  type Ground,
} from './framing.ts';

const CHUNKS = ['Transfer-Encoding: chunked'];
const hex = (text: string): string => text.length.toString(16);

/** What stands behind a size, up to its line break; the size is right. */
const EXTENSIONS: readonly string[] = [
  ...[
    ';',
    ';a',
    ';a=b',
    ';a=b;c=d',
    ' ;a',
    '; a',
    ';a ',
    ';a = b',
    '\t;a',
    ';a="b;c"',
    ';a="b\\"c"',
    ";a='b'",
  ],
  ...[
    ';a="\r\n0\r\n\r\n"',
    ';a="\n0\n\n"',
    ';a=\r',
    ';a\rb',
    ';a\nb',
    ';\n',
    ';\r',
    ';\r\r',
    ';a\0',
    ';\0',
    ';\x7f',
  ],
  ...[
    ';a="',
    ';"',
    ';=',
    ';=b',
    ';;',
    ';a\x80',
    ';a=\xff',
    ';content-length=5',
    ';transfer-encoding=chunked',
  ],
  ...[
    `;${'a'.repeat(5_000)}`,
    `;${'a'.repeat(20_000)}`,
    `;a="${'b'.repeat(17_000)}"`,
    `;${'a=b;'.repeat(6_000)}`,
  ],
  ...[
    ' ',
    '  ',
    '\t',
    '\v',
    '\f',
    '\0',
    '\xa0',
    ',',
    ' a',
    'g',
    '.',
    '_',
    'h',
    '\n',
    '\r',
    '\n\r',
    '\r\n\r',
    ' \n',
  ],
];

/** Sizes of a chunk that holds so many bytes. */
const sizes = (n: number): string[] => {
  const size = n.toString(16);
  return [
    ...[`0x${size}`, `0X${size}`, `0${size}`, `${'0'.repeat(20)}${size}`, `${'0'.repeat(5_000)}${size}`],
    ...[
      `+${size}`,
      `-${size}`,
      ` ${size}`,
      `\t${size}`,
      `\v${size}`,
      `\0${size}`,
      `\r\n${size}`,
      `\n${size}`,
    ],
    ...[`${n}.`, `${size}.0`, `_${size}`, `"${size}"`, `(${size})`, `\\x${size}`, `%${size}`, `${size}h`, ''],
    ...['ffffffffffffffff', 'fffffffffffffffff', `1${size.padStart(16, '0')}`, `1${size.padStart(8, '0')}`],
    ...['7fffffff', '80000000', '-1', '-0', '0x', '0x0', 'x', 'NaN', 'g', '\xb9', size.toUpperCase()],
  ];
};

/** What stands where the line break behind a chunk's bytes should. */
const AFTER_CHUNK = [
  '',
  '\n',
  '\r',
  '\n\r',
  '\r\r\n',
  '\r\n\r\n',
  'X\r\n',
  '\rX',
  '\0\r\n',
  ' \r\n',
  'XX',
  '\r\n\n',
];
/** Last chunks. */
const LAST = [
  ...[
    '0\n\n',
    '0\r\n\n',
    '0\n\r\n',
    '0\r\r',
    '00\r\n\r\n',
    `${'0'.repeat(40)}\r\n\r\n`,
    '0;a=b\r\n\r\n',
    '0;\r\n\r\n',
  ],
  ...[
    '0 \r\n\r\n',
    ' 0\r\n\r\n',
    '-0\r\n\r\n',
    '+0\r\n\r\n',
    '0x0\r\n\r\n',
    '0\r\n \r\n\r\n',
    '0\r\n\r\r\n',
    '0\r\nX\r\n\r\n',
  ],
];

const TRAILERS: readonly string[] = [
  ...[
    'X-Any: 1',
    'x-any:1',
    'Content-Length: 0',
    'Content-Length: 50',
    'Transfer-Encoding: chunked',
    'Host: evil',
  ],
  ...['Authorization: Bearer x', 'Cookie: a=b', 'X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Host: evil'],
  ...[
    'X-Request-Id: stolen-0001',
    'Connection: close',
    'Connection: keep-alive',
    'Upgrade: websocket',
    'Trailer: x',
  ],
  ...[
    'Content-Type: text/html',
    'Content-Encoding: gzip',
    'Expect: 100-continue',
    'TE: trailers',
    'Te: chunked',
  ],
  ...[
    ' folded',
    'X-A: 1\r\n folded',
    'X-A: 1\r\n\tfolded',
    'X-A',
    ': 1',
    'X A: 1',
    'X-A : 1',
    'X-A: 1\nX-B: 2',
  ],
  ...[
    'X-A: 1\rX-B: 2',
    'X-A: \0',
    'X-A: \x7f',
    '\0: 1',
    `X-A: ${'a'.repeat(20_000)}`,
    'GET /metrics HTTP/1.1',
  ],
  ...[
    `${'X-A: 1\r\n'.repeat(1_500)}X-B: 2`,
    'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ],
];

/** The name of a trailer; what has none is announced by another. */
const nameIn = (trailer: string): string => /^[\w-]+(?=:)/.exec(trailer)?.[0] ?? 'x-any';

/** Behind a body that two parsers end at different places. */
const behind = (x: Ground, body: string): string => `${body}${x.hidden}`;

function chunks(): Framing[] {
  const body = '{"phone_no":"1"}';
  const made = (what: string, name: string, make: (x: Ground) => string, bounds: Partial<Bounds> = {}) =>
    // Whole and correct chunks end where the hidden request begins, which is then the client's next one.
    framing(what, name, (x) => head(x, CHUNKS) + make(x), { answers: 2, ...bounds });
  const once = { answers: 1 };
  return [
    ...EXTENSIONS.flatMap((text, at) => [
      made('behind a size', `${at} ${shown(text)}`, (x) =>
        behind(x, `${hex(body)}${text}\r\n${body}\r\n${LAST_CHUNK}`),
      ),
      made(
        'behind a size, over a hidden request',
        `${at} ${shown(text)}`,
        (x) => {
          const inside = LAST_CHUNK + x.hidden;
          return `${hex(inside)}${text}\r\n${inside}\r\n${LAST_CHUNK}`;
        },
        text.includes('\n') ? {} : once,
      ),
      made('behind the last size', `${at} ${shown(text)}`, (x) =>
        behind(x, `${hex(body)}\r\n${body}\r\n0${text}\r\n\r\n`),
      ),
    ]),
    ...sizes(16).flatMap((_, at) => [
      made('odd size', `${at} ${shown(sizes(body.length)[at] ?? '')}`, (x) =>
        behind(x, `${sizes(body.length)[at]}\r\n${body}\r\n${LAST_CHUNK}`),
      ),
      made('odd size over a hidden request', `${at} ${shown(sizes(16)[at] ?? '')}`, (x) => {
        const inside = LAST_CHUNK + x.hidden;
        return `${sizes(inside.length)[at]}\r\n${inside}\r\n${LAST_CHUNK}`;
      }),
    ]),
    ...AFTER_CHUNK.flatMap((text) => [
      made('behind a chunk', shown(text), (x) => behind(x, `${hex(body)}\r\n${body}${text}${LAST_CHUNK}`)),
      made(
        'behind a chunk, a hidden request',
        shown(text),
        (x) => `${hex(body)}\r\n${body}${text}${LAST_CHUNK}${x.hidden}\r\n\r\n`,
      ),
    ]),
    ...LAST.map((text) =>
      made('last chunk', shown(text), (x) => behind(x, `${hex(body)}\r\n${body}\r\n${text}`)),
    ),
    ...[1, 2, 7].map((size) =>
      made(
        'small chunks',
        `of ${size}`,
        (x) => {
          const inside = LAST_CHUNK + x.hidden;
          const parts = Array.from({ length: Math.ceil(inside.length / size) }, (_, at) =>
            inside.slice(at * size, (at + 1) * size),
          );
          return `${parts.map((part) => `${hex(part)}\r\n${part}\r\n`).join('')}${LAST_CHUNK}`;
        },
        once,
      ),
    ),
    ...TRAILERS.flatMap((text, at) => [
      made('trailer', `${at} ${shown(text)}`, (x) =>
        behind(x, `${hex(body)}\r\n${body}\r\n0\r\n${text}\r\n\r\n`),
      ),
      framing(
        'trailer, announced',
        `${at} ${shown(text)}`,
        (x) =>
          head(x, [...CHUNKS, `Trailer: ${nameIn(text)}`]) +
          behind(x, `${hex(body)}\r\n${body}\r\n0\r\n${text}\r\n\r\n`),
        { answers: 2 },
      ),
    ]),
  ];
}

/** Places at which the attacker goes away; the head, a length, a chunk's size, its bytes, its end. */
function earlyEnds(): Framing[] {
  const whole = (x: Ground) => head(x, CHUNKS) + chunked(LAST_CHUNK + x.hidden);
  const sized = (x: Ground) => {
    const body = LAST_CHUNK + x.hidden;
    return head(x, [`Content-Length: ${body.length}`]) + body;
  };
  const cuts = [1, 2, 3, 4, 5, 7, 12, 20, 40, 80];
  const ways = [
    { how: 'and is silent', bounds: { waits: true } },
    { how: 'and ends', bounds: { waits: true, ends: true } },
  ];
  return ways.flatMap(({ how, bounds }) => [
    ...cuts.flatMap((cut) => [
      framing('early end', `of chunks, by ${cut} ${how}`, (x) => whole(x).slice(0, -cut), bounds),
      framing('early end', `of a length, by ${cut} ${how}`, (x) => sized(x).slice(0, -cut), bounds),
    ]),
    ...[1, 2, 3, 4, 30, 60].map((cut) =>
      framing('early end', `of a head, by ${cut} ${how}`, (x) => head(x, CHUNKS).slice(0, -cut), bounds),
    ),
    framing(
      'early end',
      `of a length far beyond ${how}`,
      (x) => head(x, ['Content-Length: 1000000']) + x.hidden,
      bounds,
    ),
    framing(
      'early end',
      `of a chunk far beyond ${how}`,
      (x) => `${head(x, CHUNKS)}fffff\r\n${x.hidden}`,
      bounds,
    ),
    framing(
      'early end',
      `in a trailer ${how}`,
      (x) => `${head(x, CHUNKS)}2\r\n{}\r\n0\r\nX-A: 1\r\n${x.hidden}`,
      bounds,
    ),
  ]);
}

/** The same bytes in writes that break in odd places. */
function pieces(): Framing[] {
  const cutAt = (text: string, marks: readonly string[]): string[] => {
    const parts: string[] = [];
    let from = 0;
    for (const mark of marks) {
      const at = text.indexOf(mark, from);
      if (at === -1) continue;
      const to = at + Math.ceil(mark.length / 2);
      parts.push(text.slice(from, to));
      from = to;
    }
    return [...parts, text.slice(from)];
  };
  return [
    ['\r\n'],
    ['Transfer', 'chunked'],
    ['\r\n\r\n'],
    ['0\r\n\r\n'],
    ['\r\n\r\n', '\r\n', '0\r\n\r\n'],
  ].map((marks) =>
    framing('in pieces', marks.map(shown).join(' '), (x) =>
      cutAt(head(x, CHUNKS) + chunked(LAST_CHUNK + x.hidden), marks),
    ),
  );
}

export const bodyFramings = (): Framing[] => [...chunks(), ...earlyEnds(), ...pieces()];
