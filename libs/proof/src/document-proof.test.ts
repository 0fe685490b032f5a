import { createHash } from 'node:crypto';
import { fromHex, toBase64, utf8 } from './bytes.ts';
import type { StatedPlace } from './seal/check-place.ts';
import { checkDocumentProof, documentProof } from './document-proof.ts';
import { leafData } from './log/leaf.ts';
import { leafHash, nodeHash } from './log/merkle.ts';
import { verifyAnyCosignature } from './log/ml-dsa.ts';
import { formatKey } from './log/note.ts';
import { parsePolicy, writePolicy } from './log/policy.ts';
import { parties } from './testing/small-tlog.ts';
import { parseTlogProof, writeTlogProof } from './log/tlog-proof.ts';

const { log, witnesses, checkpoint } = parties('log.example/d', ['w1.example', 'w2.example', 'w3.example']);
const [w1, w2, w3] = witnesses;
if (!w1 || !w2 || !w3) throw new Error('expected three witnesses');
const quorumOf = (quorum: number) =>
  parsePolicy(
    writePolicy({
      log,
      witnesses: witnesses.map(({ ed25519, mlDsa }) => ({ keys: [ed25519.key, mlDsa.key] })),
      quorum,
    }),
  );

const sha256 = createHash('sha256').update('a sealed file').digest('hex');
const salt = new Uint8Array(32).fill(3);
const fact = { code: '7K3M9QXA', sha256, sealedAt: '2026-11-21T06:00:00.000Z' };
const leaf = leafHash(leafData(salt, fact));
const sibling = leafHash(utf8('another entry'));
const root = nodeHash(leaf, sibling);

const place = (cosigners = [w1.ed25519, w2.mlDsa]): StatedPlace => ({
  document_code: fact.code,
  sha256,
  sealed_at: fact.sealedAt,
  salt: toBase64(salt),
  leaf_index: 0,
  tree_size: 2,
  inclusion: [toBase64(sibling)],
  checkpoint: checkpoint(cosigners, root, 2),
});
const check = (text: string, of = sha256, policy = quorumOf(2)) =>
  checkDocumentProof(text, fromHex(of), policy, verifyAnyCosignature);

describe('a proof file', () => {
  it("is written in C2SP's form and parsed again", () => {
    const text = documentProof(place());
    expect(text.split('\n').slice(0, 5)).toEqual([
      'c2sp.org/tlog-proof@v1',
      expect.stringMatching(/^extra [A-Za-z0-9+/]+=*$/),
      'index 0',
      toBase64(sibling),
      '',
    ]);
    expect(writeTlogProof(parseTlogProof(text))).toBe(text);
  });

  it.each([
    ['another head', (text: string) => text.replace('@v1', '@v2')],
    ['no index', (text: string) => text.replace('index 0\n', '')],
    ['an index with a zero before it', (text: string) => text.replace('index 0', 'index 00')],
    ['extra data behind the index', (text: string) => text.replace(/(extra .*\n)(index 0\n)/, '$2$1')],
    ['a short hash', (text: string) => text.replace(toBase64(sibling), 'AAAA')],
    ['lines that end as in Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['nothing', () => ''],
  ])('with %s is refused', (_, change) => {
    expect(() => parseTlogProof(change(documentProof(place())))).toThrow(RangeError);
  });
});

describe('the proof of a document', () => {
  it('is valid for its file under a quorum, with keys of either kind', () => {
    expect(check(documentProof(place()))).toEqual({
      ok: true,
      origin: 'log.example/d',
      code: fact.code,
      sealedAt: fact.sealedAt,
      index: 0,
      size: 2,
      cosigned: [
        { name: 'w1.example:ed25519', time: 1_790_000_000 },
        { name: 'w2.example:ml-dsa-44', time: 1_790_000_000 },
      ],
    });
  });

  it('is invalid for another file, index, salt, time or code', () => {
    const other = createHash('sha256').update('another file').digest('hex');
    expect(check(documentProof(place()), other)).toMatchObject({ ok: false });
    for (const change of [
      { sha256: other },
      { leaf_index: 1 },
      { salt: toBase64(new Uint8Array(32)) },
      { sealed_at: '2026-11-20T06:00:00.000Z' },
      { document_code: '7K3M9QXB' },
      { inclusion: [] },
    ])
      expect(check(documentProof({ ...place(), ...change }), change.sha256)).toMatchObject({ ok: false });
  });

  it('is invalid with fewer witnesses than the policy requires', () => {
    for (const cosigners of [[], [w1.ed25519], [w1.ed25519, w1.mlDsa]])
      expect(check(documentProof(place(cosigners)))).toMatchObject({
        ok: false,
        why: expect.stringContaining('more witnesses') as string,
      });
    expect(check(documentProof(place([w1.ed25519])), sha256, quorumOf(1))).toMatchObject({ ok: true });
  });

  it('is invalid under the policy of another log, and other files are not proofs', () => {
    const theirs = parties('log.example/d', []).log;
    const policy = parsePolicy(`log ${formatKey(theirs.key)}\nquorum none\n`);
    expect(check(documentProof(place()), sha256, policy)).toMatchObject({ ok: false });
    for (const extra of [undefined, utf8('text'), utf8('null'), utf8('{"sha256":1}'), Uint8Array.of(0xff)]) {
      const proof = parseTlogProof(documentProof(place()));
      const text = writeTlogProof({ ...proof, extra } as typeof proof);
      expect(check(text)).toEqual({ ok: false, why: 'The file is not the proof of a document.' });
    }
  });
});
