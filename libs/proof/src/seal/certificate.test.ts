/** The chain from a certificate to a root, with certificates that an attacker has chosen. */
import { jest } from '@jest/globals';
import { allowsUsage, chainTo, readCertificate, type Certificate } from './certificate.ts';
import { readSignature } from './cms.ts';
import { TAG } from './der.ts';
import {
  AT,
  attributesOf,
  certificateBody,
  DATA,
  newKeys,
  signed,
  signedData,
  type Keys,
} from '../differential/authority.ts';
import { CHAINS, issuedChain, newMade } from '../differential/testing/chains.ts';
import { encode, nothing, oid, seq } from '../differential/encode.ts';

/** An honest chain needs one check per certificate. */
const MOST_CHECKS = 500;

afterEach(() => void jest.restoreAllMocks());

type Named = { name: string; keys: Keys };
const issue = async (
  what: 'root' | 'stamp',
  holder: Named,
  serial: number,
  by: Named,
): Promise<Certificate> =>
  readCertificate(encode(await signed(certificateBody(what, { ...holder, serial }, by.name), by.keys)));

/** Returns `count` authorities with two alternating names; each has issued all of the other name. */
async function circle(count: number): Promise<Certificate[]> {
  const one = { name: 'One', keys: await newKeys() };
  const other = { name: 'Other', keys: await newKeys() };
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      i % 2 === 0 ? issue('root', one, i + 1, other) : issue('root', other, i + 1, one),
    ),
  );
}

/** Stops after too many signature checks, each of which takes a fifth of a millisecond. */
function countChecks(): () => number {
  const verify = crypto.subtle.verify.bind(crypto.subtle);
  let count = 0;
  jest.spyOn(crypto.subtle, 'verify').mockImplementation((...given) => {
    count += 1;
    if (count > MOST_CHECKS) throw new Error('too many signature checks');
    return verify(...given);
  });
  return () => count;
}

it('authorities that have issued each other are visited once, not in every order', async () => {
  const [first, ...others] = await circle(16);
  if (!first) throw new Error('A certificate is missing');
  const checks = countChecks();
  expect(await chainTo(first, { roots: [], others, at: AT })).toBeUndefined();
  expect(checks()).toBeGreaterThan(0);
  expect(checks()).toBeLessThanOrEqual(16 * 16);
});

it('the root is found behind them', async () => {
  const [first, ...others] = await circle(6);
  const root = others.at(-1);
  if (!first || !root) throw new Error('A certificate is missing');
  expect(await chainTo(first, { roots: [root], others: others.slice(0, -1), at: AT })).toEqual([first, root]);
});

describe('a self-signed certificate', () => {
  let root: Named;
  let trusted: Certificate;
  beforeAll(async () => {
    root = { name: 'Root', keys: await newKeys() };
    trusted = await issue('root', root, 1, root);
  });
  const found = (one: Certificate, others: Certificate[] = []) =>
    chainTo(one, { roots: [trusted], others, at: AT });

  it('is trusted as a root', async () => {
    expect(await found(trusted)).toEqual([trusted]);
  });

  it.each(['Root', 'ROOT', 'Stamper'])(
    'is not trusted under the name %s if it has a root’s key',
    async (name) => {
      const { keys } = root;
      expect(await found(await issue('stamp', { name, keys }, 3, root))).toBeUndefined();
    },
  );

  it('is not accepted between another certificate and the root', async () => {
    const stamper = { name: 'Stamper', keys: await newKeys() };
    const between = { name: 'Between', keys: root.keys };
    const stamp = await issue('stamp', stamper, 3, between);
    expect(await found(stamp, [await issue('root', between, 4, root)])).toBeUndefined();
    const honest = { name: 'Between', keys: await newKeys() };
    const [leaf, authority] = [
      await issue('stamp', stamper, 3, honest),
      await issue('root', honest, 4, root),
    ];
    expect(await found(leaf, [authority])).toEqual([leaf, authority, trusted]);
  });
});

describe('a chain with', () => {
  let made: Awaited<ReturnType<typeof newMade>>;
  beforeAll(async () => void (made = await newMade()));

  // `against-openssl.slow.ts` asks OpenSSL for the same chains.
  it.each(CHAINS)('%s', async (_how, links, isTrusted) => {
    const [root, ...others] = (await issuedChain(links(made))).map(readCertificate);
    const leaf = others.at(-1);
    if (!root || !leaf) throw new Error('A certificate is missing');
    const chain = await chainTo(leaf, { roots: [root], others, at: AT });
    expect(chain).toEqual(isTrusted ? [...others.toReversed(), root] : undefined);
  });
});

describe('the algorithm of a certificate’s signature', () => {
  // ecdsa-with-SHA256 has no parameters (RFC 5758 §3.2), but many write the NULL of RSA (RFC 4055 §5).
  it.each([
    ['without parameters', [], true],
    ['with NULL', [nothing], true],
    ['with an empty sequence', [seq()], false],
    ['with a sequence of anything', [seq({ tag: TAG.generalizedTime, value: Uint8Array.of(1) })], false],
    ['with another name', [oid('1.2.840.10045.3.1.7')], false],
  ] as const)('is read %s', async (_how, parameters, isTrusted) => {
    const said = seq(oid('1.2.840.10045.4.3.2'), ...parameters);
    const root = { name: 'Root', keys: await newKeys() };
    const trusted = await issue('root', root, 1, root);
    const stamper = { name: 'Stamper', keys: { ...(await newKeys()), said } };
    const stamp = await issue('stamp', stamper, 3, { ...root, keys: { ...root.keys, said } });
    const chain = await chainTo(stamp, { roots: [trusted], others: [], at: AT });
    expect(chain).toEqual(isTrusted ? [stamp, trusted] : undefined);
  });
});

it('an authority with unreadable limits is skipped, without an error', async () => {
  const [first, broken] = await circle(2);
  if (!first || !broken) throw new Error('A certificate is missing');
  const limits = { critical: true, value: Uint8Array.of(0x30, 0x01) };
  const others = [{ ...broken, extensions: new Map([...broken.extensions, ['2.5.29.19', limits]]) }];
  expect(await chainTo(first, { roots: [], others, at: AT })).toBeUndefined();
});

it('a certificate with unreadable limits has no chain', async () => {
  const root = { name: 'Root', keys: await newKeys() };
  const trusted = await issue('root', root, 1, root);
  const stamp = await issue('stamp', { name: 'Stamper', keys: await newKeys() }, 3, root);
  const leadsTo = (extension: string) => {
    const extensions = new Map(stamp.extensions);
    extensions.set(extension, { critical: true, value: new Uint8Array() });
    return chainTo({ ...stamp, extensions }, { roots: [trusted], others: [], at: AT });
  };
  expect(await chainTo(stamp, { roots: [trusted], others: [], at: AT })).toEqual([stamp, trusted]);
  for (const extension of ['2.5.29.15', '2.5.29.19', '2.5.29.37'])
    expect(await leadsTo(extension)).toBeUndefined();
});

it('a key usage without any bit is refused', async () => {
  const root = { name: 'Root', keys: await newKeys() };
  const certificate = await issue('root', root, 1, root);
  const of = (...bits: number[]): Certificate => {
    const value = Uint8Array.of(TAG.bitString, bits.length, ...bits);
    return { ...certificate, extensions: new Map([['2.5.29.15', { critical: true, value }]]) };
  };
  expect(allowsUsage(of(7, 0x80), 0)).toBe(true);
  expect(() => allowsUsage(of(7, 0), 0)).toThrow(RangeError);
  expect(() => allowsUsage(of(0, 0, 0), 0)).toThrow(RangeError);
});

it('a name in invalid UTF-8 is refused', async () => {
  const { bytes } = await issue('stamp', { name: 'Stamper', keys: await newKeys() }, 3, {
    name: 'Root',
    keys: await newKeys(),
  });
  const broken = Buffer.from(bytes);
  broken[broken.indexOf('Stamper')] = 0xff;
  expect(readCertificate(bytes).commonName).toBe('Stamper');
  expect(() => readCertificate(broken)).toThrow(RangeError);
});

it('a seal with more certificates than any real chain is refused', async () => {
  const keys = await newKeys();
  const named = { name: 'Sealer', serial: 2, keys };
  const certificate = encode(await signed(certificateBody('seal', named), keys));
  const by = { ...named, certificate };
  const content = Uint8Array.of(1);
  const whole = async (beside: number) =>
    encode(
      await signedData(attributesOf(DATA, content, by), {
        by,
        contentType: DATA,
        beside: Array.from({ length: beside }, () => certificate),
      }),
    );
  expect(readSignature(await whole(15)).certificates).toHaveLength(16);
  await expect(whole(16).then(readSignature)).rejects.toThrow(RangeError);
});
