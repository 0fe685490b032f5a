/**
 * Forged passkey assertions, generated over every field of the statement and of the authenticator's response.
 * Each must be refused for the genuine statement.
 */
import canonicalize from 'canonicalize';
import type { Assertion } from '../approval/assertion.ts';
import { fromBase64url, toBase64url, utf8 } from '../bytes.ts';
import type { Authenticator, Signing, Site } from './authenticator.ts';

/** The forger's means: the statement to approve, the person's device, and the forger's own device. */
export type Forging = { statement: string; device: Authenticator; thief: Authenticator; site: Site };
export type Forgery = { what: string; forge: (given: Forging) => Assertion };

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function others(value: Json): Json[] {
  if (typeof value === 'number') return [value + 1, value - 1, value * 10 + 5, String(value)];
  if (typeof value === 'string')
    return [`${value}x`, value.slice(1), ` ${value}`, null, [value]].filter((other) => other !== value);
  if (typeof value === 'boolean') return [!value, null];
  if (value === null) return ['', 'x', 0];
  if (Array.isArray(value)) return [[...value, 'x'], value.slice(1), null];
  return [{ ...value, another: 1 }, null, ...Object.keys(value).map((key) => without(value, key))];
}

const without = (value: { [key: string]: Json }, key: string): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));

function changes(value: Json, path = ''): { path: string; changed: Json }[] {
  const own = others(value).map((changed) => ({ path: path || 'statement', changed }));
  if (value === null || typeof value !== 'object') return own;
  const inner = Object.entries(value).flatMap(([key, child]) =>
    changes(child as Json, `${path}.${key}`).map(({ path: at, changed }) => ({
      path: at,
      changed: Array.isArray(value)
        ? value.map((item, i) => (String(i) === key ? changed : item))
        : { ...value, [key]: changed },
    })),
  );
  return [...own, ...inner];
}

/** Returns the statement with each of its fields changed. */
export function otherStatements(statement: string): { path: string; statement: string }[] {
  return changes(JSON.parse(statement) as Json)
    .map(({ path, changed }) => ({ path, statement: canonicalize(changed) ?? '' }))
    .filter((other) => other.statement !== statement);
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const PARTS = ['clientDataJSON', 'authenticatorData', 'signature'] as const;

/** The person's device signs the right statement, but not as our page requests it. */
const signedWith = (
  what: string,
  change: (site: Site, device: Authenticator) => Partial<Signing>,
): Forgery => ({
  what,
  forge: ({ statement, device, site }) =>
    device.signStatement(statement, { ...site, ...change(site, device) }),
});

const altered = (
  what: string,
  part: (typeof PARTS)[number],
  change: (bytes: Uint8Array) => Uint8Array,
): Forgery => ({
  what: `${what}: ${part}`,
  forge: ({ statement, device, site }) => {
    const genuine = device.signStatement(statement, site);
    return { ...genuine, [part]: toBase64url(change(fromBase64url(genuine[part]))) };
  },
});

const signedBytes = (
  what: string,
  change: (said: Uint8Array, data: Uint8Array) => [Uint8Array, Uint8Array],
): Forgery => ({
  what,
  forge: ({ statement, device, site }) => {
    const { clientDataJSON, authenticatorData } = device.signStatement(statement, site);
    return device.signBytes(...change(fromBase64url(clientDataJSON), fromBase64url(authenticatorData)));
  },
});

const RIGHT_FLAGS = [0x05, 0x0d, 0x1d];

const ofAnotherKind = (): Forgery[] => [
  ...times(25, (i) => signedWith('another origin', () => ({ origin: `https://karaar${i}.example` }))),
  ...[
    ({ origin }: Site) => origin.replace(/^http/, 'ftp'),
    ({ origin }: Site) => `${origin}/`,
    ({ origin }: Site) => `${origin}0`,
    ({ origin }: Site) => origin.toUpperCase(),
    () => 'null',
    () => '',
  ].map((change) => signedWith('another origin', (site) => ({ origin: change(site) }))),
  signedWith('a frame of another page', () => ({ crossOrigin: true })),
  ...times(25, (i) => signedWith('another RP id', ({ rpId }) => ({ rpId: `${i}.${rpId}` }))),
  ...['', 'example', 'http://localhost'].map((rpId) => signedWith('another RP id', () => ({ rpId }))),
  ...times(256, (flags) => flags)
    .filter((flags) => !RIGHT_FLAGS.includes(flags))
    .map((flags) => signedWith(`flags ${flags}`, () => ({ flags }))),
  ...['webauthn.create', 'payment.get', 'webauthn.GET', ' webauthn.get', ''].map((type) =>
    signedWith('another act', () => ({ type })),
  ),
  ...times(10, (i) =>
    signedWith('another challenge', () => ({ challenge: toBase64url(utf8(`challenge ${i}`)) })),
  ),
];

const ofOthers = (): Forgery[] => [
  ...times(20, () => ({
    what: 'signed by another key',
    forge: ({ statement, thief, site }: Forging) => thief.signStatement(statement, site),
  })),
  ...PARTS.map((part) => ({
    what: `${part} of another key`,
    forge: ({ statement, device, thief, site }: Forging) => ({
      ...device.signStatement(statement, site),
      // Another page and other flags, so that each part differs from the genuine one.
      [part]: thief.signStatement(statement, { ...site, origin: `${site.origin}1`, flags: 0x1d })[part],
    }),
  })),
];

const ofOtherBytes = (): Forgery[] => [
  ...PARTS.flatMap((part) =>
    times(40, (i) =>
      altered('a flipped bit', part, (bytes) =>
        bytes.map((byte, at) => (at === (i * 7) % bytes.length ? byte ^ (1 << (i % 8)) : byte)),
      ),
    ),
  ),
  ...PARTS.flatMap((part) => times(15, (i) => altered('truncated', part, (bytes) => bytes.slice(0, -1 - i)))),
  ...PARTS.map((part) => altered('its beginning is gone', part, (bytes) => bytes.slice(1))),
  ...PARTS.map((part) => altered('nothing', part, () => new Uint8Array(0))),
  ...PARTS.flatMap((part) =>
    times(5, (i) =>
      altered('bytes behind the end', part, (bytes) => Uint8Array.of(...bytes, ...times(i + 1, () => i))),
    ),
  ),
  ...times(10, (i) =>
    altered('a rewritten counter', 'authenticatorData', (data) =>
      data.map((byte, at) => (at === 33 + (i % 4) ? byte ^ (i + 1) : byte)),
    ),
  ),
  ...times(5, (i) =>
    signedBytes('extension data that is signed', (said, data) => [
      said,
      Uint8Array.of(...data, ...times(i + 1, () => 0xa0)),
    ]),
  ),
  signedBytes('an extension that says so', (said, data) => [
    said,
    Uint8Array.of(...data.map((byte, at) => (at === 32 ? byte | 0x80 : byte)), 0xa0),
  ]),
  ...['null', '[]', '1', '"x"', '{', ''].map((text) =>
    signedBytes('client data that is not an object', (_, data) => [utf8(text), data]),
  ),
  signedBytes('client data with a page around it', (said, data) => [
    utf8(new TextDecoder().decode(said).replace(/\}$/, ',"topOrigin":"https://karaar.test"}')),
    data,
  ]),
];

/** Only for ES256: the same numbers in other encodings. */
const ofOtherDer = (): Forgery[] =>
  [
    (der: Uint8Array) => Uint8Array.of(0x30, 0x81, ...der.slice(1)),
    (der: Uint8Array) => Uint8Array.of(0x30, (der[1] ?? 0) + 1, 2, (der[3] ?? 0) + 1, 0, ...der.slice(4)),
    (der: Uint8Array) => {
      const at = 4 + (der[3] ?? 0);
      const s = [2, (der[at + 1] ?? 0) + 1, 0, ...der.slice(at + 2)];
      return Uint8Array.of(0x30, (der[1] ?? 0) + 1, ...der.slice(2, at), ...s);
    },
    (der: Uint8Array) => der.slice(-64),
    () => Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0),
    (der: Uint8Array) => Uint8Array.of(0x31, ...der.slice(1)),
  ].map((change) => altered('re-encoded', 'signature', change));

const inOtherBase64 = (): Forgery[] =>
  PARTS.flatMap((part) =>
    [(text: string) => `${text}=`, (text: string) => ` ${text}`, (text: string) => `${text}+`].map(
      (change) => ({
        what: `another form of base64: ${part}`,
        forge: ({ statement, device, site }: Forging) => {
          const genuine = device.signStatement(statement, site);
          return { ...genuine, [part]: change(genuine[part]) };
        },
      }),
    ),
  );

/**
 * Returns all forgeries for a statement: signatures of every other statement, and all other manipulations.
 */
export function forgeriesOf(statement: string): Forgery[] {
  const restated = otherStatements(statement).map(({ path, statement: other }): Forgery => ({
    what: `a statement with another ${path}`,
    forge: ({ device, site }) => device.signStatement(other, site),
  }));
  return [
    ...restated,
    ...ofAnotherKind(),
    ...ofOthers(),
    ...ofOtherBytes(),
    ...ofOtherDer(),
    ...inOtherBase64(),
  ];
}
