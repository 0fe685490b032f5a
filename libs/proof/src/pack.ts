/**
 * A court pack: a ZIP whose first file is a signed list of all others. The list is a C2SP signed note with
 * the key of the transparency log; its first line is not a log's name, so a list cannot be taken for a
 * checkpoint. A pack has exactly one form, so that any changed byte is detected, even between the files.
 */
import { unzipSync, Zip, ZipPassThrough } from 'fflate';
import { concat, equal, textOf, toHex, utf8 } from './bytes.ts';
import { parseNote, signatureLine, verifyNote, type NoteKey } from './log/note.ts';

export const LIST_NAME = 'LIST.txt';
const KIND = 'karaar court pack v1';

export type ListedFile = {
  /** Letters, digits, `.`, `_`, `-`, and `/` between folders. */
  name: string;
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
};

export type PackList = {
  code: string;
  /** Time of writing: ISO 8601, UTC, milliseconds. */
  madeAt: string;
  files: readonly ListedFile[];
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const LINE = /^([0-9a-f]{64}) (0|[1-9]\d{0,15}) (\S+)$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Returns the list as signed text.
 * @throws RangeError for a file name that a ZIP could contain in several forms
 */
export function writeList(list: PackList, key: NoteKey, sign: (message: Uint8Array) => Uint8Array): string {
  for (const { name } of list.files) {
    if (!NAME.test(name) || name === LIST_NAME) throw new RangeError(`${name} is not a name for a pack`);
  }
  const lines = list.files.map(({ sha256, bytes, name }) => `${sha256} ${bytes} ${name}\n`);
  const body = `${KIND}\n${list.code}\n${list.madeAt}\n${lines.join('')}`;
  return `${body}\n${signatureLine(key, sign(utf8(body)))}`;
}

/** @throws RangeError for anything but a list */
function readList(body: string): PackList {
  const [kind, code = '', madeAt = '', ...lines] = body.split('\n');
  if (kind !== KIND || !/^[0-9A-Z]{8}$/.test(code) || !MOMENT.test(madeAt) || lines.pop() !== '')
    throw new RangeError('not the list of a court pack');
  const files = lines.map((line) => {
    const [, sha256 = '', bytes = '', name = ''] = LINE.exec(line) ?? [];
    if (!NAME.test(name) || name === LIST_NAME) throw new RangeError('not a line of a court pack’s list');
    return { sha256, bytes: Number(bytes), name };
  });
  if (new Set(files.map(({ name }) => name)).size !== files.length)
    throw new RangeError('two files of one name');
  return { code, madeAt, files };
}

/**
 * Returns the date of each file in a pack: noon in India on the day of writing. A ZIP contains local times,
 * and noon exists on every day in every time zone.
 */
function dateOf(madeAt: string): Date {
  const india = new Date(new Date(madeAt).getTime() + 5.5 * 3_600_000);
  return new Date(india.getUTCFullYear(), india.getUTCMonth(), india.getUTCDate(), 12);
}

/**
 * Writes a pack file by file. Call `add` for the list first, then for each listed file in the list's order,
 * with its bytes in chunks of any size; then `end`.
 * @param emit receives the bytes of the ZIP in order
 */
export function packWriter(madeAt: string, emit: (chunk: Uint8Array) => void) {
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    emit(chunk);
  });
  const mtime = dateOf(madeAt);
  return {
    add(name: string): { write: (chunk: Uint8Array, last: boolean) => void } {
      const file = new ZipPassThrough(name);
      file.mtime = mtime;
      zip.add(file);
      return { write: (chunk, last) => file.push(chunk, last) };
    },
    end: () => zip.end(),
  };
}

export type PackFinding = {
  /** True if nothing was changed, added or removed, and the log signed the list. */
  valid: boolean;
  list: PackList | null;
  /** One for each file in the list and each unlisted file, `LIST.txt` first, the ZIP itself last. */
  files: { name: string; fault: PackFault | null }[];
};
/**
 * `changed`: other bytes than listed. `missing`: listed but absent. `added`: present but unlisted.
 * `unsigned`: the list lacks the log's signature or is unreadable.
 */
export type PackFault = 'changed' | 'missing' | 'added' | 'unsigned';

/** The name in findings for the bytes between the files. */
export const ARCHIVE = 'ZIP';

/**
 * Checks a pack.
 * @param key of the log that signed
 */
export async function checkPack(pack: Uint8Array, key: NoteKey): Promise<PackFinding> {
  const there = unzip(pack);
  if (!there) return { valid: false, list: null, files: [{ name: ARCHIVE, fault: 'changed' }] };
  const listBytes = there.get(LIST_NAME);
  const list = listBytes && signedList(listBytes, key);
  if (!list)
    return {
      valid: false,
      list: null,
      files: [{ name: LIST_NAME, fault: listBytes ? 'unsigned' : 'missing' }],
    };
  const files: PackFinding['files'] = [{ name: LIST_NAME, fault: null }];
  for (const { name, sha256, bytes } of list.files) {
    const found = there.get(name);
    const same = found?.length === bytes && (await hexSha256(found)) === sha256;
    files.push({ name, fault: !found ? 'missing' : same ? null : 'changed' });
  }
  const listed = new Set(files.map(({ name }) => name));
  for (const name of there.keys()) if (!listed.has(name)) files.push({ name, fault: 'added' });
  if (files.every(({ fault }) => fault === null)) {
    const whole = equal(rewritten(list, there), pack);
    files.push({ name: ARCHIVE, fault: whole ? null : 'changed' });
  }
  return { valid: files.every(({ fault }) => fault === null), list, files };
}

/** Returns undefined without this file, and for a ZIP that is unreadable, compressed or has a name twice. */
export const fileInPack = (pack: Uint8Array, name: string): Uint8Array | undefined => unzip(pack)?.get(name);

function signedList(bytes: Uint8Array, key: NoteKey): PackList | undefined {
  const text = textIn(bytes);
  if (text === undefined) return undefined;
  try {
    const note = parseNote(text);
    // Encoded again and compared, so that nothing can follow the signature.
    const [signature] = note.signatures;
    if (!signature || !verifyNote(note, key)) return undefined;
    const written = utf8(`${note.body}\n${signatureLine(key, signature.bytes)}`);
    return equal(written, bytes) ? readList(note.body) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return textOf(bytes);
  } catch {
    return undefined; // the only error of the decoder
  }
}

/** Returns the pack as {@link packWriter} would have written these files. */
function rewritten(list: PackList, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const chunks: Uint8Array[] = [];
  const writer = packWriter(list.madeAt, (chunk) => chunks.push(chunk));
  for (const name of [LIST_NAME, ...list.files.map((file) => file.name)])
    writer.add(name).write(files.get(name) ?? new Uint8Array(), true);
  writer.end();
  return concat(...chunks);
}

/** Returns undefined for an unreadable ZIP and for compressed files, which a pack never has. */
function unzip(pack: Uint8Array): Map<string, Uint8Array> | undefined {
  try {
    let stored = true;
    const names = new Set<string>();
    const files = unzipSync(pack, {
      filter: ({ name, compression }) => {
        // A directory can claim four billion entries that it does not contain. They have no name, so the
        // second one is refused here.
        if (names.has(name)) throw new RangeError('two files of one name');
        names.add(name);
        stored &&= compression === 0;
        return compression === 0;
      },
    });
    return stored ? new Map(Object.entries(files)) : undefined;
  } catch {
    return undefined; // fflate throws various errors for unreadable input
  }
}

async function hexSha256(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}
