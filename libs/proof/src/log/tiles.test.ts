import fc from 'fast-check';
import { toHex } from '../bytes.ts';
import { leafHash, treeHasher, verifyConsistency, verifyInclusion } from './merkle.ts';
import {
  appendLeaves,
  consistencyProof,
  decodeBundle,
  encodeBundle,
  inclusionProof,
  parseTilePath,
  rootOf,
  tilePath,
  widthAt,
  type TileReader,
} from './tiles.ts';
import { mth, path, proof } from '../testing/reference-tree.ts';

function store() {
  const tiles = new Map<string, readonly Uint8Array[]>();
  const read: TileReader = async ({ level, index }) => tiles.get(`${level}/${index}`) ?? [];
  let size = 0;
  return {
    read,
    tiles,
    grow: async (data: readonly Uint8Array[]) => {
      for (const tile of await appendLeaves(read, size, data.map(leafHash))) {
        tiles.set(`${tile.level}/${tile.index}`, tile.hashes);
      }
      size += data.length;
    },
  };
}

const leaves = (n: number): Uint8Array[] => Array.from({ length: n }, (_, i) => Buffer.from(`leaf ${i}`));
const hex = (hashes: readonly Uint8Array[]): string[] => hashes.map(toHex);

describe('a tree of tiles', () => {
  it('has the roots and proofs of RFC 6962, however it grew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.nat(),
        async (batches, a, b) => {
          const { read, grow } = store();
          const data = leaves(batches.reduce((sum, n) => sum + n, 0));
          let at = 0;
          for (const n of batches) {
            await grow(data.slice(at, at + n));
            at += n;
          }
          const size = 1 + (a % data.length);
          const tree = data.slice(0, size);
          const index = b % size;
          const older = 1 + (b % size);
          expect(toHex(await rootOf(read, size))).toBe(toHex(mth(tree)));
          const hasher = treeHasher();
          for (const leaf of tree) hasher.add(leafHash(leaf));
          expect(toHex(hasher.root())).toBe(toHex(mth(tree)));
          const inclusion = await inclusionProof(read, index, size);
          expect(hex(inclusion)).toEqual(hex(path(index, tree)));
          expect(hex(await consistencyProof(read, older, size))).toEqual(hex(proof(older, tree)));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('works over several levels of tiles', async () => {
    const { read, grow, tiles } = store();
    const size = 256 * 256 + 3;
    const data = leaves(size);
    await grow(data.slice(0, 70));
    const before = await rootOf(read, 70);
    await grow(data.slice(70));
    expect([...tiles.keys()].filter((key) => key.startsWith('2/'))).toEqual(['2/0']);
    const root = await rootOf(read, size);
    const leaf = leafHash(data[65_000] ?? Buffer.of());
    const inclusion = await inclusionProof(read, 65_000, size);
    expect(verifyInclusion({ index: 65_000, size, leaf, proof: inclusion, root })).toBe(true);
    const consistency = await consistencyProof(read, 70, size);
    expect(
      verifyConsistency({ size1: 70, size2: size, root1: before, root2: root, proof: consistency }),
    ).toBe(true);
    expect(widthAt(size, 0, 256)).toBe(3);
    expect(widthAt(size, 1, 0)).toBe(256);
    expect(widthAt(size, 2, 0)).toBe(1);
    expect(widthAt(size, 1, 1)).toBe(0);
  });
});

describe('addresses of tiles', () => {
  it('have the form of tlog-tiles', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('0/x001/x234/067');
    expect(tilePath({ level: 1, index: 0, width: 7 })).toBe('1/000.p/7');
    expect(parseTilePath('entries/x001/234.p/9')).toEqual({ level: 'entries', index: 1234, width: 9 });
  });

  it('are parsed again, and other paths are refused', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(2 ** 40), fc.integer({ min: 1, max: 256 }), (level, index, width) => {
        expect(parseTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
      }),
    );
    for (const path of ['6/000', '0/0', '0/000.p/0', '0/000.p/256', '0/x000/001', '0/../000', '0/000/', '']) {
      expect({ path, id: parseTilePath(path) }).toEqual({ path, id: undefined });
    }
  });
});

describe('entry bundles', () => {
  it('return their entries, whose hashes are the tile', () => {
    const data = leaves(5);
    const bundle = encodeBundle(data);
    expect(hex(decodeBundle(bundle))).toEqual(hex(data));
    expect(hex(decodeBundle(bundle).map(leafHash))).toEqual(hex(data.map(leafHash)));
    expect(() => decodeBundle(bundle.slice(0, -1))).toThrow(RangeError);
    expect(() => encodeBundle([new Uint8Array(70_000)])).toThrow(RangeError);
  });
});
