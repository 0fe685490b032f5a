/** Every name with every name as its value: what searches a list of names and values may take one for the other. */
import { AMBIGUOUS, chunked, framing, head, LAST_CHUNK, type Bounds, type Framing } from './framing.ts';

const NAMES = [
  ...['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te'],
  ...[
    'trailer',
    'expect',
    'host',
    'content-type',
    'content-encoding',
    'accept',
    'accept-encoding',
    'user-agent',
  ],
  ...['authorization', 'proxy-authorization', 'cookie', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto'],
  ...['x-forwarded-host', 'x-real-ip', 'x-request-id', 'traceparent', 'tracestate', 'x-http-method-override'],
  ...['x-original-url', 'range', 'if-none-match', 'origin', 'x-any'],
] as const;

/** Names that are numbers: what follows a length in a flat list. */
const NUMBERS = ['0', '5', '00', '1e1', '-1', 'nan'];

/** What only the gateway may say to a service. */
const OURS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-request-id', 'traceparent'];

/** With one of these names no other value than the usual ones is a framing. */
function boundsOf(name: string, value: string): Partial<Bounds> {
  if (name === 'content-length' || name === 'transfer-encoding') return AMBIGUOUS;
  return name === 'connection' && OURS.includes(value) ? AMBIGUOUS : {};
}

/** The line of a name; a second `Host` is one more fault, and not the one that is looked for. */
const withHost = (name: string, value: string): ((text: string) => string) =>
  name === 'host'
    ? (text) => text.replace(/\r\nHost: [^\r]*/, `\r\nhost: ${value}`)
    : (text) => text.replace('\r\n\r\n', `\r\n${name}: ${value}\r\n\r\n`);

export function nameFramings(): Framing[] {
  const values = [...NAMES, ...NAMES.map((name) => name.toUpperCase()).slice(0, 2)];
  const chunks = NAMES.flatMap((name) =>
    values.map((value) =>
      framing(
        'names, with chunks',
        `${name}: ${value}`,
        (x) => {
          const line = withHost(name, value);
          return line(head(x, ['Transfer-Encoding: chunked'])) + chunked(LAST_CHUNK + x.hidden);
        },
        boundsOf(name, value),
      ),
    ),
  );
  const numbered = ['accept', 'x-any', 'x-request-id'].flatMap((name) =>
    NUMBERS.map((number) =>
      framing(
        'names, then a number',
        `${name}: content-length, ${number}: x`,
        (x) =>
          head(x, [`${name}: content-length`, `${number}: x`, 'Transfer-Encoding: chunked']) +
          chunked(LAST_CHUNK + x.hidden),
      ),
    ),
  );
  const sized = NAMES.filter((name) => name !== 'host').flatMap((name) =>
    ['transfer-encoding', 'content-length', 'connection', 'chunked'].map((value) =>
      framing(
        'names, with a length',
        `${name}: ${value}`,
        (x) => {
          const body = LAST_CHUNK + x.hidden;
          return head(x, [`${name}: ${value}`, `Content-Length: ${body.length}`]) + body;
        },
        boundsOf(name, value),
      ),
    ),
  );
  const dropped = NAMES.flatMap((name) =>
    ['close, ', 'keep-alive, ', ', '].map((before) =>
      framing(
        'names of the hop',
        `connection: ${before}${name}`,
        (x) => {
          const body = LAST_CHUNK + x.hidden;
          return head(x, [`Connection: ${before}${name}`, `Content-Length: ${body.length}`]) + body;
        },
        OURS.includes(name) ? AMBIGUOUS : {},
      ),
    ),
  );
  return [...chunks, ...numbered, ...sized, ...dropped];
}
