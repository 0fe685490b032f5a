/**
 * The Merkle tree of RFC 6962 §2.1: hashes of leaves and nodes, and the verification of both proofs (RFC 9162
 * §2.1.3.2 and §2.1.4.2). Sizes and indexes are safe integers.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equal, fromBase64 } from '../bytes.ts';

const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const EMPTY_ROOT = sha256(new Uint8Array(0));

/** RFC 6962 §2.1: returns the SHA-256 of 0x00 and the entry, 32 bytes. */
export const leafHash = (data: Uint8Array): Uint8Array => sha256(concat(LEAF, data));

/** RFC 6962 §2.1: returns the SHA-256 of 0x01 and both hashes, 32 bytes. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(NODE, left, right));

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES;
const isSize = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
const half = (n: number): number => Math.floor(n / 2);
const isOdd = (n: number): boolean => n % 2 === 1;

/**
 * Returns true if `leaf` (a hash) is the leaf at `index` (from 0) of the tree of `size` leaves with this
 * root.
 */
export function verifyInclusion(claim: {
  index: number;
  size: number;
  leaf: Uint8Array;
  proof: readonly Uint8Array[];
  root: Uint8Array;
}): boolean {
  const { index, size, leaf, proof, root } = claim;
  if (!isSize(index) || !isSize(size) || index >= size) return false;
  if (![leaf, ...proof].every(isHash)) return false;
  let [node, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equal(hash, root);
}

/**
 * Returns true if the tree of `size2` leaves with `root2` begins with the tree of `size1` leaves with
 * `root1`. An empty first tree proves nothing and is refused.
 */
export function verifyConsistency(claim: {
  size1: number;
  size2: number;
  root1: Uint8Array;
  root2: Uint8Array;
  proof: readonly Uint8Array[];
}): boolean {
  const { size1, size2, root1, root2, proof } = claim;
  if (!isSize(size1) || !isSize(size2) || size1 === 0 || size1 > size2) return false;
  if (size1 === size2) return proof.length === 0 && equal(root1, root2);
  if (![root1, ...proof].every(isHash)) return false;
  let [node, last] = [size1 - 1, size2 - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // If the first tree is a complete subtree of the second, it is the start of the path.
  const path = node === 0 ? [root1, ...proof] : [...proof];
  const seed = path.shift();
  if (!seed) return false;
  let [first, second] = [seed, seed];
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      first = nodeHash(sibling, first);
      second = nodeHash(sibling, second);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      second = nodeHash(second, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equal(first, root1) && equal(second, root2);
}

/** The root of a complete subtree of 2^height leaves. */
export type Subtree = { height: number; hash: Uint8Array };

/**
 * Computes the root from leaf hashes that are added one by one; holds one hash per level.
 * @param begun subtrees of an earlier hasher to continue, the largest first
 */
export function treeHasher(begun: readonly Subtree[] = []): {
  add: (leaf: Uint8Array) => void;
  root: () => Uint8Array;
  subtrees: () => Subtree[];
} {
  const stack: Subtree[] = [...begun];
  return {
    add(leaf) {
      let node = { height: 0, hash: leaf };
      for (let top = stack.at(-1); top?.height === node.height; top = stack.at(-1)) {
        stack.pop();
        node = { height: node.height + 1, hash: nodeHash(top.hash, node.hash) };
      }
      stack.push(node);
    },
    root: () =>
      stack.length === 0
        ? EMPTY_ROOT
        : stack.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right)),
    subtrees: () => [...stack],
  };
}

/**
 * The whole subtrees of `size` leaves from their roots in base64, the largest first: one for each bit that is set in `size`.
 * @throws RangeError for another number of them
 */
export function subtreesOf(size: number, hashes: readonly string[]): Subtree[] {
  const heights: number[] = [];
  for (let [rest, height] = [size, 0]; rest > 0; rest = half(rest), height += 1)
    if (isOdd(rest)) heights.unshift(height);
  if (heights.length !== hashes.length) throw new RangeError('not the subtrees of a tree of this size');
  return heights.map((height, i) => ({ height, hash: fromBase64(hashes[i] ?? '') }));
}
