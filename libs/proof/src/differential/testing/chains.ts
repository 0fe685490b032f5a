/** Chains to a root that differ in names, key identifiers and limits, with our verdict and OpenSSL's. */
import {
  certificateBody,
  identifiersOf,
  named,
  newKeys,
  signed,
  type Extensions,
  type Keys,
} from '../authority.ts';
import { bool, encode, int, octets, oid, plain, seq, tagged, text, type Node } from '../encode.ts';

type Link = { name: string; keys: Keys; more?: Extensions };
/** Keys of the root, two authorities and the holder. */
type Made = Record<'root' | 'one' | 'two' | 'leaf', Keys>;

/** From the root to the last one, which is a timestamp certificate; each has issued the next. */
export async function issuedChain(links: readonly [Link, ...Link[]]): Promise<Uint8Array[]> {
  return Promise.all(
    links.map(async ({ name, keys, more }, i) => {
      const issuer = links[i - 1] ?? links[0];
      const what = i > 0 && i === links.length - 1 ? 'stamp' : 'root';
      return encode(
        await signed(certificateBody(what, { name, serial: i + 1, keys }, issuer.name, more), issuer.keys),
      );
    }),
  );
}

export async function newMade(): Promise<Made> {
  const [root, one, two, leaf] = await Promise.all([newKeys(), newKeys(), newKeys(), newKeys()]);
  return { root, one, two, leaf };
}

const LIMITS = '2.5.29.19';
const ISSUERS = '2.5.29.35';
const limit = (value: Node): Extensions => ({ [LIMITS]: [true, seq(bool(true), value)] });
const issuers = (...value: Node[]): Extensions => ({ [ISSUERS]: [false, seq(...value)] });
const inName = (name: string): Node => tagged(1, tagged(4, named(name)));
const serial = (value: number): Node => plain(2, Uint8Array.of(value));
const constraint = (name: string): Extensions => ({
  '2.5.29.30': [false, seq(tagged(0, seq(tagged(4, named(name)))))],
});

/** The root with identifiers, and the given ones behind it. */
const behind = ({ root }: Made, ...links: Link[]): [Link, ...Link[]] => [
  { name: 'Root', keys: root, more: identifiersOf(root, root) },
  ...links,
];
/** A link with the right identifiers. */
const link = (name: string, keys: Keys, by: Keys, more: Extensions = {}): Link => ({
  name,
  keys,
  more: { ...identifiersOf(by, keys), ...more },
});
const leafWith = (more: Extensions) => (made: Made) => behind(made, { name: 'Leaf', keys: made.leaf, more });
const limited = ({ root }: Made, value: number): Link => link('Root', root, root, limit(int(value)));

type Case = [how: string, links: (made: Made) => [Link, ...Link[]], ours: boolean, openssl: boolean];
export const CHAINS: Case[] = [
  ['a leaf with the root’s name', (m) => behind(m, { name: 'Root', keys: m.leaf }), false, false],
  ...['ROOT', ' root '].map((name): Case => [
    `a leaf with the root’s name, spelled "${name}"`,
    (m) => behind(m, { name, keys: m.leaf }),
    false,
    false,
  ]),
  [
    'a leaf with the root’s name and only its own identifier',
    (m) =>
      behind(m, { name: 'Root', keys: m.leaf, more: { '2.5.29.14': [false, octets(Uint8Array.of(1))] } }),
    false,
    false,
  ],
  [
    'a leaf with the root’s name and only the issuer’s identifier',
    (m) => behind(m, { name: 'Root', keys: m.leaf, more: identifiersOf(m.root) }),
    false,
    false,
  ],
  [
    'a leaf with the root’s name, told apart by key identifiers',
    (m) => behind(m, link('Root', m.leaf, m.root)),
    true,
    true,
  ],
  [
    'a leaf with the root’s name, told apart by the root’s number',
    (m) => behind(m, { name: 'Root', keys: m.leaf, more: issuers(inName('Root'), serial(1)) }),
    true,
    true,
  ],
  [
    'an authority with the root’s name',
    (m) => behind(m, { name: 'Root', keys: m.one }, link('Leaf', m.leaf, m.one)),
    false,
    false,
  ],
  [
    'an authority with the root’s name, told apart by key identifiers',
    (m) => behind(m, link('Root', m.one, m.root), link('Leaf', m.leaf, m.one)),
    true,
    true,
  ],
  [
    'no authority allowed, and a new key of the root',
    (m) => [limited(m, 0), link('Root', m.one, m.root), link('Leaf', m.leaf, m.one)],
    true,
    true,
  ],
  [
    'no authority allowed, and another authority',
    (m) => [limited(m, 0), link('One', m.one, m.root), link('Leaf', m.leaf, m.one)],
    false,
    false,
  ],
  [
    'one authority allowed, and two',
    (m) => [
      limited(m, 1),
      link('One', m.one, m.root),
      link('Two', m.two, m.one),
      link('Leaf', m.leaf, m.two),
    ],
    false,
    false,
  ],
  [
    'one authority allowed, and a new key of it',
    (m) => [
      limited(m, 1),
      link('One', m.one, m.root),
      link('One', m.two, m.one),
      link('Leaf', m.leaf, m.two),
    ],
    true,
    true,
  ],
  [
    'fewer than no authority allowed',
    (m) => [
      { name: 'Root', keys: m.root, more: limit({ tag: 0x02, value: Uint8Array.of(0xff) }) },
      link('Leaf', m.leaf, m.root),
    ],
    false,
    false,
  ],
  ['the identifier of the root’s key', (m) => behind(m, link('Leaf', m.leaf, m.root)), true, true],
  ['the identifier of another key', (m) => behind(m, link('Leaf', m.leaf, m.one)), false, false],
  ['the root’s number', leafWith(issuers(inName('Root'), serial(1))), true, true],
  ['another number than the root’s', leafWith(issuers(inName('Root'), serial(7))), false, false],
  ['the name of the root’s issuer in capitals', leafWith(issuers(inName('ROOT'), serial(1))), true, true],
  [
    'another name than that of the root’s issuer',
    leafWith(issuers(inName('Other'), serial(1))),
    false,
    false,
  ],
  [
    'an issuer’s identifier that is not a sequence',
    leafWith({ [ISSUERS]: [false, octets(Uint8Array.of(1))] }),
    false,
    false,
  ],
  ['an unknown issuer’s identifier', leafWith(issuers(plain(3))), false, false],
  [
    'an own identifier that is not an octet string',
    leafWith({ '2.5.29.14': [false, text('1')] }),
    false,
    false,
  ],
  [
    'an authority for other names',
    (m) => behind(m, link('One', m.one, m.root, constraint('Other')), link('Leaf', m.leaf, m.one)),
    false,
    false,
  ],
  // OpenSSL reads names that an authority is limited to; ours refuses each such authority.
  [
    'an authority for this name only',
    (m) => behind(m, link('One', m.one, m.root, constraint('Leaf')), link('Leaf', m.leaf, m.one)),
    false,
    true,
  ],
  [
    'a proxy certificate',
    leafWith({ '1.3.6.1.5.5.7.1.14': [false, seq(seq(oid('1.3.6.1.5.5.7.21.1')))] }),
    false,
    false,
  ],
];
