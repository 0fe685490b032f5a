/**
 * Changes the revision that holds a seal, and then makes tables, offsets and the signed range consistent
 * again.
 */

/** Returns a random integer from 0 up to but not including a bound. */
export type Chance = (below: number) => number;

type Revision = { before: Buffer; objects: string[]; trailer: string };

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Splits the last revision into its objects in order, and the text from the word `trailer` on. */
function takeRevision(pdf: Uint8Array): Revision {
  const text = latin1(pdf);
  const table = Number(/\nstartxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const offsets = [...text.slice(table).matchAll(/(\d{10}) 00000 n /g)]
    .map(([, at]) => Number(at))
    .sort((a, b) => a - b);
  const objects = offsets.map((at, i) => text.slice(at, offsets[i + 1] ?? table));
  return {
    before: Buffer.from(pdf.subarray(0, offsets[0])),
    objects,
    trailer: text.slice(text.indexOf('trailer\n', table)),
  };
}

const TOKENS = [
  '/',
  '<<',
  '>>',
  '[',
  ']',
  '(',
  ')',
  '%',
  ' ',
  '\n',
  '\r',
  '\0',
  'endobj',
  'stream\n',
  '%%EOF\n',
  'null',
  '0',
  '1 0 R',
];
const pick = <T>(list: readonly T[], chance: Chance): T => {
  const found = list[chance(list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
};

/** Changes to the text of an object or the trailer that readers may interpret differently. */
const CHANGES: readonly ((text: string, chance: Chance) => string)[] = [
  // An additional token, or some bytes less, outside the long hexadecimal signature.
  (text, chance) => {
    const at = chance(Math.min(text.length, 400));
    return text.slice(0, at) + pick(TOKENS, chance) + text.slice(at);
  },
  (text, chance) => {
    const at = chance(Math.min(text.length, 400));
    return text.slice(0, at) + text.slice(at + 1 + chance(3));
  },
  (text, chance) => replaceOne(text, /\d+(?= 0 R)/g, String(1 + chance(24)), chance),
  (text, chance) => replaceOne(text, /\d+/g, String(chance(3) === 0 ? chance(100_000) : chance(30)), chance),
  (text, chance) => {
    const names = [...text.matchAll(/\/[A-Za-z0-9.]+/g)].map(([name]) => name);
    return names.length === 0 ? text : replaceOne(text, /\/[A-Za-z0-9.]+/g, pick(names, chance), chance);
  },
  // The same name with an escape.
  (text, chance) =>
    replaceOne(text, /\/[A-Za-z]/g, (found) => `/#${found.charCodeAt(1).toString(16)}`, chance),
  // A duplicate entry of a dictionary: readers differ in which one counts.
  (text, chance) => {
    const entries = [
      ...text.matchAll(/\/[A-Za-z]+ (?:\d+ 0 R|\[[^\]]*\]|<[0-9a-f]{1,64}>|\/[A-Za-z]+|\d+)/g),
    ].map(([entry]) => entry);
    if (entries.length === 0) return text;
    const again = pick(entries, chance).replace(/\d+/, (digits) => String(Number(digits) + 1 - chance(2)));
    if (chance(2) === 0) return text.replace('<<', `<<${again}`);
    const end = text.lastIndexOf('>>');
    return end < 0 ? text : text.slice(0, end) + again + text.slice(end);
  },
  (text, chance) => replaceOne(text, /<[0-9a-f]{2,64}>/g, (found) => found.toUpperCase(), chance),
  (text, chance) => replaceOne(text, / /g, pick(['\t', '  ', '\n', '%x\n', '\0'], chance), chance),
];

function replaceOne(
  text: string,
  what: RegExp,
  by: string | ((found: string) => string),
  chance: Chance,
): string {
  const places = [...text.slice(0, 2_000).matchAll(what)];
  if (places.length === 0) return text;
  const { 0: found, index } = pick(places, chance);
  return text.slice(0, index) + (typeof by === 'string' ? by : by(found)) + text.slice(index + found.length);
}

const numberOf = (object: string): number => Number(/^\s*(\d+)/.exec(object)?.[1] ?? 0);

function change(revision: Revision, chance: Chance): void {
  const { objects } = revision;
  const at = chance(objects.length);
  const object = objects[at] ?? '';
  const kind = chance(12);
  if (kind === 0) objects.splice(at, 1);
  else if (kind === 1) objects.splice(chance(objects.length + 1), 0, object);
  else if (kind === 2) objects.splice(at, 1, pick(objects, chance), object);
  else if (kind === 3) objects.reverse();
  else if (kind === 4) {
    const added = object.replace(/^\d+/, String(60 + chance(40)));
    objects.splice(chance(objects.length + 1), 0, added);
  } else if (kind <= 6) revision.trailer = pick(CHANGES, chance)(revision.trailer, chance);
  else objects[at] = pick(CHANGES, chance)(object, chance);
}

/**
 * Returns the cross-reference table; for an object that exists twice it has the last one, the first one, or
 * both.
 */
function tableOf(offsets: readonly (readonly [number: number, offset: number])[], chance: Chance): string {
  const kind = chance(4);
  const once = kind === 0 ? offsets : [...new Map(kind === 1 ? [...offsets].reverse() : offsets)];
  const lines = [...once]
    // Of two entries for one number, the later offset comes first or last.
    .sort(([a, at], [b, other]) => a - b || (chance(2) === 0 ? at - other : other - at))
    .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
  return `xref\n${lines.join('')}`;
}

/**
 * Joins the parts: the table with the objects' offsets, and a signed range that excludes just the signature's
 * value.
 */
function putTogether({ before, objects, trailer }: Revision, chance: Chance): Uint8Array {
  const offsets: [number, number][] = [];
  let at = before.length;
  for (const object of objects) {
    offsets.push([numberOf(object), at]);
    at += object.length;
  }
  const end = trailer.replace(/(startxref\s+)\d+/, (_all, word: string) => `${word}${at}`);
  const tail = objects.join('') + tableOf(offsets, chance) + end;
  const size = before.length + tail.length;
  const text = tail.replace(
    /(\/ByteRange \[)\d+ +\d+ +\d+ +\d+ *(\][^]*?\/Contents )(<[0-9a-f]*>)/,
    (all: string, open: string, between: string, value: string, index: number) => {
      const start = before.length + index + all.length - value.length;
      const stop = start + value.length;
      const range = [0, start, stop, size - stop].map((one) => String(one).padEnd(10)).join(' ');
      return `${open}${range}${between}${value}`;
    },
  );
  // A range of another width has shifted the offsets; such a file stays inconsistent.
  return Buffer.concat([before, Buffer.from(text, 'latin1')]);
}

export function changedSeal(pdf: Uint8Array, chance: Chance): Uint8Array {
  const revision = takeRevision(pdf);
  for (let left = 1 + chance(3); left > 0; left -= 1) change(revision, chance);
  return putTogether(revision, chance);
}
