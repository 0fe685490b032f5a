/** Changes DER: single bytes, or the values inside with corrected lengths. */
import { readDer } from '../seal/der.ts';
import { encode, nodeOf, type Node } from './encode.ts';

/** Returns a random integer below a bound, the same for the same seed (mulberry32). */
export type Chance = (below: number) => number;
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Returns a copy with one to three changes: a quarter in its bytes, the others in its values. */
export function mutated(bytes: Uint8Array, chance: Chance): Uint8Array {
  let now = bytes;
  for (let left = 1 + chance(3); left > 0; left -= 1)
    now = chance(4) === 0 ? inBytes(now, chance) : inTree(now, chance);
  return now;
}

function inBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  const at = chance(Math.max(1, bytes.length));
  const kind = chance(4);
  if (kind === 0) return bytes.map((byte, i) => (i === at ? byte ^ (1 << chance(8)) : byte));
  if (kind === 1) return bytes.map((byte, i) => (i === at ? chance(256) : byte));
  if (kind === 2) return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1 + chance(3))]);
  return Uint8Array.from([...bytes.subarray(0, at), chance(256), ...bytes.subarray(at)]);
}

type Place = { siblings: Node[]; at: number };

function inTree(bytes: Uint8Array, chance: Chance): Uint8Array {
  let root: Node;
  try {
    root = nodeOf(readDer(bytes));
  } catch (error) {
    if (error instanceof RangeError) return inBytes(bytes, chance);
    throw error;
  }
  const top = { tag: 0x30, children: [root] };
  const places = placesOf(top);
  const any = (): Place => places[chance(places.length)] ?? { siblings: top.children, at: 0 };
  const { siblings, at } = any();
  const node = siblings[at] ?? root;
  switch (chance(8)) {
    case 0:
      siblings.splice(at, 1);
      break;
    case 1:
      siblings.splice(at, 0, structuredClone(node));
      break;
    case 2: {
      const other = chance(siblings.length);
      [siblings[at], siblings[other]] = [siblings[other] ?? node, node];
      break;
    }
    case 3:
      node.tag = TAGS[chance(TAGS.length)] ?? 0x30;
      break;
    case 4: {
      const { siblings: others, at: which } = any();
      siblings[at] = structuredClone(others[which] ?? node);
      break;
    }
    case 5: {
      const { siblings: others, at: which } = any();
      siblings.splice(at, 0, structuredClone(others[which] ?? node));
      break;
    }
    default:
      if ('value' in node) node.value = inBytes(node.value, chance);
      else siblings.splice(at, 1, ...node.children);
  }
  return top.children[0] ? encode(top.children[0]) : new Uint8Array();
}

const TAGS = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31, 0x80, 0x81, 0x82, 0xa0,
  0xa1, 0xa2, 0xa3, 0x24, 0x23,
];

function placesOf(node: Node): Place[] {
  if (!('children' in node)) return [];
  return node.children.flatMap((child, at) => [{ siblings: node.children, at }, ...placesOf(child)]);
}
