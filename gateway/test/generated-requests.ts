/** Generates requests of every legal form for the contracts' routes. */
import { allRoutes, type ServiceRoute } from '@karaar/contracts/services';
import fc from 'fast-check';

export type Generated = {
  method: string;
  access: ServiceRoute['contract']['access'];
  /** Under `/api`, with the query. */
  path: string;
  /** As sent, in order, in Latin-1. */
  headers: [name: string, value: string][];
  /** How the body's length is declared. */
  framing: 'none' | 'length' | 'chunks';
  body: string;
  /** Where chunks and writes end, as fractions from 0 to 1. */
  cuts: number[];
};

const UNRESERVED = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~'];
const LEGAL_IN_PATH = [
  ...UNRESERVED,
  ..."!$&'()*+,;=:@",
  '%20',
  '%2F',
  '%2f',
  '%00',
  '%25',
  '%3F',
  '%23',
  '%e0%a4%95',
  '%C3%BC',
];
const LEGAL_IN_QUERY = [...LEGAL_IN_PATH, '/', '?', '&', '&', '=', '=', '[', ']', '%', '\xfc', '"', '{', '|'];
const TOKEN = [..."abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~"];
const IN_VALUE = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,;:="\'()<>@[]{}?/\\%!#$&*+-.^_`|~',
  '\t',
  ...'\x80\x85\xa0\xbf\xe9\xfc\xff',
];

const text = (units: readonly string[], maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });

/** Header names with a meaning for the gateway or other parsers. */
const KNOWN = [
  ...[
    'accept',
    'accept-encoding',
    'accept-language',
    'cache-control',
    'cookie',
    'if-match',
    'if-none-match',
    'origin',
  ],
  ...[
    'pragma',
    'range',
    'referer',
    'user-agent',
    'date',
    'from',
    'max-forwards',
    'priority',
    'idempotency-key',
    'via',
  ],
  ...[
    'Content-Encoding',
    'CONTENT-LANGUAGE',
    'content-disposition',
    'x-http-method-override',
    'x-original-url',
    'warning',
  ],
  ...[
    'set-cookie',
    'sec-fetch-mode',
    'dnt',
    'x-length',
    'content_length',
    'transfer_encoding',
    'constructor',
    '5',
    '0',
  ],
  ...[
    'hasownproperty',
    'tostring',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-request-id',
    'traceparent',
    'forwarded',
  ],
];
const NAMES_AS_VALUES = [
  'content-length',
  'transfer-encoding',
  'chunked',
  'connection',
  'close',
  'host',
  'expect',
  '5',
];

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 1, arbitrary: text(TOKEN, 12, 1).map((it) => `x-any-${it}`) },
);
const value = fc.oneof(
  { weight: 4, arbitrary: text(IN_VALUE, 40) },
  { weight: 1, arbitrary: fc.constantFrom(...NAMES_AS_VALUES) },
  { weight: 1, arbitrary: text(IN_VALUE, 3).map((it) => it.padEnd(600, 'v')) },
);
const type = fc.constantFrom(
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'multipart/form-data; boundary=x',
    'text/plain;charset=latin1',
  ],
  ...['application/octet-stream', 'application/x-www-form-urlencoded', 'APPLICATION/JSON', 'text/x-\xfc'],
);
const body = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 300 }).map((it) => Buffer.from(it).toString('latin1')) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }).map((it) => Buffer.from(it).toString('latin1')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n',
      '\r\n',
      '\r\n\r\n',
      '0\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 10_000, max: 100_000 }).map((size) => 'ab\r\n'.repeat(size / 4)),
  },
);

/** Reads with a body are refused, so a few of them are enough. */
const framingOf = (method: string): fc.Arbitrary<Generated['framing']> =>
  ['GET', 'HEAD', 'DELETE'].includes(method)
    ? fc.oneof(
        { weight: 30, arbitrary: fc.constant('none' as const) },
        { weight: 1, arbitrary: fc.constantFrom('length' as const, 'chunks' as const) },
      )
    : fc.constantFrom('length', 'length', 'chunks', 'chunks', 'none');

const withHead = (routes: ServiceRoute[]) =>
  routes.flatMap(({ contract }) =>
    contract.method === 'GET' ? [contract, { ...contract, method: 'HEAD' }] : [contract],
  );

export const generatedRequest: fc.Arbitrary<Generated> = fc
  .constantFrom(...withHead(allRoutes()))
  .chain(({ method, path, access }) => {
    const segments = path.split('/').slice(1);
    return fc
      .record({
        filled: fc.tuple(
          ...segments.map((it) => (it.startsWith(':') ? text(LEGAL_IN_PATH, 24, 1) : fc.constant(it))),
        ),
        query: fc.oneof(
          fc.constant(''),
          text(LEGAL_IN_QUERY, 40).map((it) => `?${it}`),
        ),
        headers: fc.array(fc.tuple(name, value), { maxLength: 6 }),
        again: fc.option(value, { freq: 4, nil: undefined }),
        type: fc.option(type, { freq: 5, nil: undefined }),
        expects: fc.integer({ min: 0, max: 19 }).map((it) => it === 0),
        framing: framingOf(method),
        body,
        cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      })
      .map(({ filled, query, headers, again, type: sent, expects, ...rest }) => {
        const all: Generated['headers'] = [...headers];
        const [first] = headers;
        if (first !== undefined && again !== undefined) all.push([first[0].toUpperCase(), again]);
        if (sent !== undefined) all.push(['Content-Type', sent]);
        if (expects && rest.framing !== 'none') all.push(['Expect', '100-continue']);
        return { method, access, path: `/${filled.join('/')}${query}`, headers: all, ...rest };
      });
  });

export function bytesOf(
  { method, path, headers, framing, body: content, cuts }: Generated,
  authorization: string | undefined,
): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: service',
    ...headers.map(([key, text]) => `${key}: ${text}`),
  ];
  if (authorization !== undefined) lines.push(`Authorization: ${authorization}`);
  if (framing === 'length') lines.push(`Content-Length: ${content.length}`);
  if (framing === 'chunks') lines.push('Transfer-Encoding: chunked');
  const head = `${lines.join('\r\n')}\r\n\r\n`;
  if (framing === 'none') return Buffer.from(head, 'latin1');
  return Buffer.from(head + (framing === 'length' ? content : inChunks(content, cuts)), 'latin1');
}

function inChunks(content: string, cuts: readonly number[]): string {
  const places = [
    ...cuts.map((cut) => Math.round(cut * content.length)).toSorted((a, b) => a - b),
    content.length,
  ];
  let from = 0;
  let out = '';
  for (const to of places) {
    if (to > from) out += `${(to - from).toString(16)}\r\n${content.slice(from, to)}\r\n`;
    from = to;
  }
  return `${out}0\r\n\r\n`;
}
