import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { leafHash, verifyConsistency, verifyInclusion } from './merkle.ts';
import { mth, path, proof } from '../testing/reference-tree.ts';

type Vector = { desc: string; wantErr: boolean } & Record<string, unknown>;
const bytes = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'));
const list = (value: unknown): Uint8Array[] => ((value ?? []) as string[]).map(bytes);

/** The public vectors of transparency-dev/merkle (Apache-2.0), one file per kind. */
const vectors = (kind: 'inclusion' | 'consistency'): Vector[] =>
  JSON.parse(readFileSync(new URL(`../testing/vectors/${kind}.json`, import.meta.url), 'utf8')) as Vector[];

describe('the test vectors of transparency-dev/merkle', () => {
  it('[FINAL-030] for inclusion all pass', () => {
    const all = vectors('inclusion');
    expect(all).toHaveLength(98);
    for (const { desc, wantErr, ...v } of all) {
      const ok = verifyInclusion({
        index: Number(v['leafIdx']),
        size: Number(v['treeSize']),
        leaf: bytes(v['leafHash']),
        proof: list(v['proof']),
        root: bytes(v['root']),
      });
      expect({ desc, ok }).toEqual({ desc, ok: !wantErr });
    }
  });

  it('[FINAL-031] for consistency all pass', () => {
    const all = vectors('consistency');
    expect(all).toHaveLength(98);
    for (const { desc, wantErr, ...v } of all) {
      const ok = verifyConsistency({
        size1: Number(v['size1']),
        size2: Number(v['size2']),
        root1: bytes(v['root1']),
        root2: bytes(v['root2']),
        proof: list(v['proof']),
      });
      expect({ desc, ok }).toEqual({ desc, ok: !wantErr });
    }
  });
});

const leaves = (n: number): Uint8Array[] => Array.from({ length: n }, (_, i) => Buffer.from(`leaf ${i}`));

describe('vectors of a second implementation', () => {
  it('[FINAL-030] prove every leaf of every tree up to 36, only at its own place', () => {
    for (let size = 1; size <= 36; size += 1) {
      const data = leaves(size);
      const root = mth(data);
      for (let index = 0; index < size; index += 1) {
        const claim = {
          index,
          size,
          leaf: leafHash(data[index] ?? Buffer.of()),
          proof: path(index, data),
          root,
        };
        expect(verifyInclusion(claim)).toBe(true);
        expect(verifyInclusion({ ...claim, index: (index + 1) % (size + 1) })).toBe(false);
        expect(verifyInclusion({ ...claim, leaf: leafHash(Buffer.from('other')) })).toBe(false);
      }
    }
  });

  it('[FINAL-031] prove every pair of trees up to 36 consistent, but no rewritten one', () => {
    for (let size2 = 1; size2 <= 36; size2 += 1) {
      const data = leaves(size2);
      const root2 = mth(data);
      for (let size1 = 1; size1 <= size2; size1 += 1) {
        const claim = { size1, size2, root1: mth(data.slice(0, size1)), root2, proof: proof(size1, data) };
        expect(verifyConsistency(claim)).toBe(true);
        const rewritten = [Buffer.from('rewritten'), ...data.slice(1)];
        expect(verifyConsistency({ ...claim, root2: mth(rewritten), proof: proof(size1, rewritten) })).toBe(
          false,
        );
      }
    }
  });

  it('refute a proof with a changed bit, or an added or removed hash', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 300 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('flip', 'add', 'drop', 'swap'),
        (size, a, b, how) => {
          const data = leaves(size);
          const index = a % size;
          const good = path(index, data);
          const at = b % good.length;
          const bad = good.map((hash) => Uint8Array.from(hash));
          if (how === 'flip') (bad[at] as Uint8Array)[b % 32]! ^= 1 << (a % 8);
          else if (how === 'add') bad.splice(at, 0, new Uint8Array(32));
          else if (how === 'drop') bad.splice(at, 1);
          else bad.reverse();
          fc.pre(how !== 'swap' || good.length > 1);
          const claim = { index, size, leaf: leafHash(data[index] ?? Buffer.of()), root: mth(data) };
          expect(verifyInclusion({ ...claim, proof: good })).toBe(true);
          expect(verifyInclusion({ ...claim, proof: bad })).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });
});
