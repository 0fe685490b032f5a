/** Encodes DER (X.690) for tests, which parse, change and encode values again. */
import { concat } from '../bytes.ts';
import type { Der } from '../seal/der.ts';

/** A value that can be changed: its own bytes, or the values inside. */
export type Node = { tag: number; value: Uint8Array } | { tag: number; children: Node[] };

/** Returns DER, with lengths computed from the values. */
export function encode(node: Node): Uint8Array {
  const inside = 'children' in node ? concat(...node.children.map(encode)) : node.value;
  return concat(Uint8Array.from([node.tag, ...lengthOf(inside.length)]), inside);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

/** Converts a parsed value, without its lengths, so that its values can be changed. */
export const nodeOf = ({ tag, value, children }: Der): Node =>
  tag & 0x20 ? { tag, children: children.map(nodeOf) } : { tag, value };

const leaf = (tag: number, value: Uint8Array): Node => ({ tag, value });
export const seq = (...children: Node[]) => ({ tag: 0x30, children });
export const set = (...children: Node[]): Node => ({ tag: 0x31, children });
/** Returns a constructed context-specific value: `[number]`. */
export const tagged = (number: number, ...children: Node[]): Node => ({ tag: 0xa0 | number, children });
/** Returns a primitive context-specific value: `[number]`. */
export const plain = (number: number, value = new Uint8Array()): Node => leaf(0x80 | number, value);
export const octets = (value: Uint8Array): Node => leaf(0x04, value);
/**
 * Returns a BIT STRING.
 * @param unused bits at the end of the last byte, which are not part of the string
 */
export const bits = (value: Uint8Array, unused = 0): Node => leaf(0x03, concat(Uint8Array.of(unused), value));
export const bool = (value: boolean): Node => leaf(0x01, Uint8Array.of(value ? 0xff : 0));
export const enumerated = (value: number): Node => leaf(0x0a, Uint8Array.of(value));
export const nothing: Node = leaf(0x05, new Uint8Array());
/** Returns an INTEGER of these bytes, which must not be negative. */
export function positive(bytes: Uint8Array): Node {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.subarray(zeros < 0 ? bytes.length - 1 : zeros);
  return leaf(0x02, (short[0] ?? 0) < 0x80 ? short : concat(Uint8Array.of(0), short));
}
/** Returns a positive INTEGER of at most 32 bits. */
export const int = (value: number): Node =>
  positive(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value));
export const text = (value: string): Node => leaf(0x0c, new TextEncoder().encode(value));

export function oid(dotted: string): Node {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const arcs = [first * 40 + second, ...rest].flatMap((arc) => {
    const bytes = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      bytes.unshift(0x80 | (left % 128));
    return bytes;
  });
  return leaf(0x06, Uint8Array.from(arcs));
}

const digits = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
/** Returns a UTCTime in whole seconds, with two digits of the year. */
export const utcTime = (date: Date): Node => leaf(0x17, new TextEncoder().encode(digits(date).slice(2)));
/** Returns a GeneralizedTime in whole seconds, UTC. */
export const generalTime = (date: Date): Node => leaf(0x18, new TextEncoder().encode(digits(date)));
