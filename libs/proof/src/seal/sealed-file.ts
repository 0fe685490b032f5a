/**
 * Reads the seal of a PDF that Karaar sealed. It is not a PDF reader: it accepts only the form in which the
 * sealer writes its revision, so that two programs cannot see different seals in one file (ISO 32000-2 §12.8;
 * the attacks of pdf-insecurity.org rely on tolerant readers).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, fromHex } from '../bytes.ts';
import { readFirst } from './der.ts';

/** The bytes of a file, read in parts. */
export type FileBytes = {
  size: number;
  read: (start: number, end: number) => Promise<Uint8Array>;
  digest: (...ranges: readonly (readonly [start: number, end: number])[]) => Promise<Uint8Array>;
};

export type Seal = {
  cms: Uint8Array;
  /** SHA-256 of everything except the signature's place. */
  contentDigest: Uint8Array;
  statedTime: Date;
  /** The data in the sealed revision for later validation (PAdES B-LT); absent below that level. */
  validation?: ValidationData;
};

/**
 * DER of certificates, OCSP answers and revocation lists: a document security store (ISO 32000-2 §12.8.4.3).
 */
export type ValidationData = { certificates: Uint8Array[]; ocsps: Uint8Array[]; crls: Uint8Array[] };

/** `problem` is the difference from the sealer's form. */
export type SealReading =
  { seal: Seal } | { problem: 'not a PDF' | 'not sealed' | 'changed after sealing' | 'damaged' };

const END = /\nstartxref\n(\d{1,15})\n%%EOF\n$/;
const XREF =
  /^xref\n((?:\d{1,10} 1\n\d{10} 00000 n \n){4,60})trailer\n<<\/Size (\d+)\/Root (\d+) 0 R(?:\/Info \d+ 0 R)?\/Prev (\d+)\/ID\[<[0-9a-f]{32}><[0-9a-f]{32}>\]>>\nstartxref\n(\d+)\n%%EOF\n$/;
const SIGNATURE =
  /^\d+ 0 obj\n<<\/Type \/Sig\/Filter \/Adobe\.PPKLite\/SubFilter \/ETSI\.CAdES\.detached\/ByteRange \[(\d+) +(\d+) +(\d+) +(\d+) *\]\/Contents <([0-9a-f]+)>\/M \(D:(\d{14})Z\)\/Reason <[0-9a-f]*>\/Reference \[<<\/Type \/SigRef\/TransformMethod \/DocMDP\/TransformParams <<\/Type \/TransformParams\/P 1\/V \/1\.2>>>>\]>>\nendobj\n$/;
const FIELD =
  /^\d+ 0 obj\n<<\/Type \/Annot\/Subtype \/Widget\/FT \/Sig\/T <4b61726161725365616c>\/V (\d+) 0 R\/F 132\/P \d+ 0 R\/Rect \[0 0 0 0 \]>>\nendobj\n$/;
const FORM = /^\d+ 0 obj\n<<\/Fields \[(\d+) 0 R \]\/SigFlags 3>>\nendobj\n$/;
const CATALOG =
  /^\d+ 0 obj\n<<\/Type \/Catalog\/Pages \d+ 0 R(?:\/(?:ViewerPreferences|Lang) (?:\d+ 0 R|<<\/DisplayDocTitle true>>|<[0-9a-f]+>))*\/AcroForm (\d+) 0 R\/Perms <<\/DocMDP (\d+) 0 R>>(?:\/DSS (\d+) 0 R)?>>\nendobj\n$/;
const STORE =
  /^\d+ 0 obj\n<<\/Type \/DSS\/Certs \[((?:\d+ 0 R )*)\]\/OCSPs \[((?:\d+ 0 R )*)\]\/CRLs \[((?:\d+ 0 R )*)\]>>\nendobj\n$/;
const STREAM = /^\d+ 0 obj\n<<\/Length (\d+)>>\nstream\n([\s\S]*)\nendstream\nendobj\n$/;

const MAX_REVISION = 4 * 1024 * 1024;
const MIN_FILE = 512;
const MAX_TABLE = 16 * 1024;
/**
 * Number of bytes at the end that are searched for traces of a seal. The traces only decide the wording of
 * the answer.
 */
const MAX_SEARCH = 8 * 1024 * 1024;
/**
 * Maximum number of hexadecimal digits of a signature; the sealer reserves fewer. A longer one is not parsed.
 */
const MAX_SIGNATURE = 128 * 1024;

const latin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
};

/** Finds the seal and checks only its form. */
export async function readSeal(file: FileBytes): Promise<SealReading> {
  const head = latin1(await file.read(0, Math.min(8, file.size)));
  if (!head.startsWith('%PDF-1.')) return { problem: 'not a PDF' };
  if (file.size < MIN_FILE) return { problem: 'damaged' };
  const tail = latin1(await file.read(Math.max(0, file.size - 40), file.size));
  const start = Number(END.exec(tail)?.[1] ?? Number.NaN);
  if (!(start > 0 && start < file.size)) return { problem: await withoutSeal(file) };
  if (file.size - start > MAX_TABLE) return { problem: await withoutSeal(file) };
  const [, entries = '', size, root, previous, again] =
    XREF.exec(latin1(await file.read(start, file.size))) ?? [];
  if (Number(again) !== start) return { problem: await withoutSeal(file) };
  const objects = await readObjects(file, { entries, size: Number(size), start, previous: Number(previous) });
  const catalog = CATALOG.exec(objects?.get(Number(root)) ?? '');
  const form = FORM.exec(objects?.get(Number(catalog?.[1])) ?? '');
  const field = FIELD.exec(objects?.get(Number(form?.[1])) ?? '');
  const number = Number(catalog?.[2]);
  const signature = SIGNATURE.exec(objects?.get(number) ?? '');
  if (!objects || !field || !signature || Number(field[1]) !== number)
    return { problem: await withoutSeal(file) };
  const place = await placeOf(file, number, entries, signature);
  if (!place) return { problem: 'changed after sealing' };
  const cms = signatureBytes(signature[5] ?? '');
  const statedTime = timeText(signature[6] ?? '');
  if (!cms || !statedTime) return { problem: 'damaged' };
  const named = [Number(root), Number(catalog?.[1]), Number(form?.[1]), number];
  const validation = readStore(objects, catalog?.[3] === undefined ? undefined : Number(catalog[3]), named);
  if (validation === 'odd') return { problem: 'changed after sealing' };
  const contentDigest = await file.digest([0, place.start], [place.end, file.size]);
  return { seal: { cms, contentDigest, statedTime, ...(validation ? { validation } : {}) } };
}

/**
 * Returns the revision's objects by number. They must follow one another without a gap, from the end of the
 * earlier file to the cross-reference table, so that nothing is hidden between them.
 */
async function readObjects(
  file: FileBytes,
  at: { entries: string; size: number; start: number; previous: number },
): Promise<Map<number, string> | undefined> {
  const placed = offsetsOf(at.entries);
  const first = placed[0];
  if (!first || placed.some(({ number }) => number >= at.size)) return undefined;
  if (new Set(placed.map(({ number }) => number)).size !== placed.length) return undefined;
  const before = latin1(await file.read(Math.max(0, first.offset - 41), first.offset));
  const end = END.exec(before.slice(0, -1));
  if (!before.endsWith('\n') || Number(end?.[1]) !== at.previous || at.previous >= first.offset)
    return undefined;
  if (at.start - first.offset > MAX_REVISION) return undefined;
  const revision = latin1(await file.read(first.offset, at.start));
  const found = new Map<number, string>();
  for (const [i, { number, offset }] of placed.entries()) {
    const next = placed[i + 1]?.offset ?? at.start;
    const text = revision.slice(offset - first.offset, next - first.offset);
    if (!text.startsWith(`${number} 0 obj\n`) || text.indexOf('\nendobj\n') !== text.length - 8)
      return undefined;
    found.set(number, text);
  }
  return found;
}

function offsetsOf(entries: string): { number: number; offset: number }[] {
  return [...entries.matchAll(/(\d+) 1\n(\d{10}) 00000 n \n/g)]
    .map(([, number, offset]) => ({ number: Number(number), offset: Number(offset) }))
    .sort((a, b) => a.offset - b.offset);
}

/**
 * Reads the security store, which must refer to each of its streams once. Returns `odd` if the revision has
 * anything besides the seal's own objects and the store's.
 */
function readStore(
  objects: ReadonlyMap<number, string>,
  number: number | undefined,
  named: readonly number[],
): ValidationData | 'odd' | undefined {
  if (number === undefined) return objects.size === new Set(named).size ? undefined : 'odd';
  const lists = STORE.exec(objects.get(number) ?? '')?.slice(1);
  if (!lists) return 'odd';
  const numbers = lists.map((list) => [...list.matchAll(/(\d+) 0 R /g)].map(([, one]) => Number(one)));
  const all = [...named, number, ...numbers.flat()];
  if (new Set(all).size !== all.length || objects.size !== all.length) return 'odd';
  const [certificates, ocsps, crls] = numbers.map((list) =>
    list.map((one) => streamOf(objects.get(one) ?? '')),
  );
  const isWhole = (list: (Uint8Array | undefined)[] | undefined): list is Uint8Array[] =>
    list?.every((one) => one !== undefined) === true;
  return isWhole(certificates) && isWhole(ocsps) && isWhole(crls) ? { certificates, ocsps, crls } : 'odd';
}

function streamOf(text: string): Uint8Array | undefined {
  const [, length, data = ''] = STREAM.exec(text) ?? [];
  return Number(length) === data.length
    ? Uint8Array.from(data, (character) => character.charCodeAt(0))
    : undefined;
}

/** Returns the position of the signature's value if /ByteRange excludes exactly that. */
async function placeOf(
  file: FileBytes,
  number: number,
  entries: string,
  signature: RegExpExecArray,
): Promise<{ start: number; end: number } | undefined> {
  const offset = offsetsOf(entries).find((one) => one.number === number)?.offset ?? Number.NaN;
  const start = offset + signature[0].indexOf('/Contents <') + '/Contents '.length;
  const end = start + (signature[5]?.length ?? 0) + 2;
  const [from, length, second, rest] = signature.slice(1, 5).map(Number);
  const whole = from === 0 && length === start && second === end && end + (rest ?? 0) === file.size;
  return whole ? { start, end } : undefined;
}

/** Returns the DER in the hex; only zeros may follow it. */
function signatureBytes(hex: string): Uint8Array | undefined {
  if (hex.length > MAX_SIGNATURE) return undefined;
  try {
    const { der, rest } = readFirst(fromHex(hex));
    return rest.every((byte) => byte === 0) ? der.bytes : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function timeText(digits: string): Date | undefined {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? [];
  const time = new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Distinguishes another PDF from a changed sealed one, for the wording of the answer. */
async function withoutSeal(file: FileBytes): Promise<'not sealed' | 'changed after sealing'> {
  const window = 1024 * 1024;
  const decoder = new TextDecoder('latin1');
  const until = Math.max(0, file.size - MAX_SEARCH);
  for (let end = file.size; end > until; end -= window) {
    const text = decoder.decode(await file.read(Math.max(0, end - window - 32), end));
    if (text.includes('4b61726161725365616c') || text.includes('(KaraarSeal)'))
      return 'changed after sealing';
  }
  return 'not sealed';
}

/** Returns a file in memory, whose `digest` is the SHA-256 of the concatenated ranges. */
export function fileOf(bytes: Uint8Array): FileBytes {
  return {
    size: bytes.length,
    read: async (start, end) => bytes.subarray(start, end),
    digest: async (...ranges) => sha256(concat(...ranges.map(([start, end]) => bytes.subarray(start, end)))),
  };
}
