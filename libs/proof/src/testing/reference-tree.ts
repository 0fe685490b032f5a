import { createHash } from 'node:crypto';

/**
 * RFC 6962 §2.1 implemented again from its definitions, independently of the library: whole lists of leaves,
 * with recursion. Tests compare the library's tiles with it.
 */
const H = (...parts: Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};

/** MTH(D[n]). */
export function mth(d: readonly Uint8Array[]): Uint8Array {
  const n = d.length;
  if (n === 0) return H();
  if (n === 1) return H(Buffer.from([0]), d[0] as Uint8Array);
  const k = below(n);
  return H(Buffer.from([1]), mth(d.slice(0, k)), mth(d.slice(k)));
}

/** PATH(m, D[n]). */
export function path(m: number, d: readonly Uint8Array[]): Uint8Array[] {
  const n = d.length;
  if (n === 1) return [];
  const k = below(n);
  return m < k
    ? [...path(m, d.slice(0, k)), mth(d.slice(k))]
    : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
}

/** PROOF(m, D[n]). */
export const proof = (m: number, d: readonly Uint8Array[]): Uint8Array[] => subproof(m, d, true);

function subproof(m: number, d: readonly Uint8Array[], b: boolean): Uint8Array[] {
  const n = d.length;
  if (m === n) return b ? [] : [mth(d)];
  const k = below(n);
  return m <= k
    ? [...subproof(m, d.slice(0, k), b), mth(d.slice(k))]
    : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))];
}

/** Returns the largest power of two smaller than n. */
function below(n: number): number {
  return 2 ** (Math.ceil(Math.log2(n)) - 1);
}
