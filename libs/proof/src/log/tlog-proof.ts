/**
 * C2SP tlog-proof: a text file that proves an entry's place in a log, together with the entry and a policy.
 */
import { fromBase64, toBase64 } from '../bytes.ts';

export type TlogProof = {
  /** Untrusted data: the entry must prove it. */
  extra?: Uint8Array;
  index: number;
  /** RFC 6962 §2.1.1, from the leaf upwards. */
  inclusion: readonly Uint8Array[];
  /** The signed checkpoint with its cosignatures, unchanged. */
  checkpoint: string;
};

const HEAD = 'c2sp.org/tlog-proof@v1';
const MOST_HASHES = 63;

/** Returns the canonical text; the values are not checked. */
export function writeTlogProof({ extra, index, inclusion, checkpoint }: TlogProof): string {
  const lines = [
    HEAD,
    ...(extra ? [`extra ${toBase64(extra)}`] : []),
    `index ${index}`,
    ...inclusion.map(toBase64),
    '',
  ];
  return `${lines.join('\n')}\n${checkpoint}`;
}

/**
 * Parses a proof without verifying it.
 * @throws RangeError for anything but its canonical form
 */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const [head, ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  if (head !== HEAD) throw new RangeError('not a proof of a log');
  const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift()?.slice(6) ?? '') : undefined;
  const [, index] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? [];
  const inclusion = lines.map(fromBase64);
  const isWhole =
    index !== undefined &&
    Number.isSafeInteger(Number(index)) &&
    inclusion.length <= MOST_HASHES &&
    inclusion.every(({ length }) => length === 32);
  if (!isWhole) throw new RangeError('not a proof of a log');
  return { ...(extra ? { extra } : {}), index: Number(index), inclusion, checkpoint: text.slice(end + 2) };
}
