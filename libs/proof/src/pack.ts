/**
 * A court pack: a ZIP whose first file is a signed list of all others. The list is a C2SP signed note by the key of the
 * transparency log; its first line is not the name of a log, so no list can be taken for a checkpoint. A pack has exactly one
 * form: the same files give the same bytes, so that a changed byte is noticed wherever it stands, also between the files.
 */
import { unzipSync, Zip, ZipPassThrough } from 'fflate';
import { concat, equal, textOf, toHex, utf8 } from './bytes.ts';
import { parseNote, signatureLine, verifyNote, type NoteKey } from './log/note.ts';

/** The name of the signed list in the ZIP. */
export const LIST_NAME = 'LIST.txt';
const KIND = 'karaar court pack v1';

export type ListedFile = {
  /** Letters, digits, `.`, `_`, `-`, with `/` between folders. */
  name: string;
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
};

/** What the list says. */
export type PackList = {
  /** 8-character document code. */
  code: string;
  /** When the pack was made: ISO 8601, UTC, milliseconds. */
  madeAt: string;
  files: readonly ListedFile[];
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const LINE = /^([0-9a-f]{64}) (0|[1-9]\d{0,15}) (\S+)$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The list as signed text. Throws RangeError for a name that a ZIP could hold in several forms. */
export function writeList(list: PackList, key: NoteKey, sign: (message: Uint8Array) => Uint8Array): string {
  for (const { name } of list.files) {
    if (!NAME.test(name) || name === LIST_NAME) throw new RangeError(`${name} is not a name for a pack`);
  }
  const lines = list.files.map(({ sha256, bytes, name }) => `${sha256} ${bytes} ${name}\n`);
  const body = `${KIND}\n${list.code}\n${list.madeAt}\n${lines.join('')}`;
  return `${body}\n${signatureLine(key, sign(utf8(body)))}`;
}

/** Throws RangeError for what is not a list. */
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
 * The date that each file of a pack carries: noon of the day in India on which the pack was made. A ZIP holds local times,
 * and noon exists everywhere on every day.
 */
function dateOf(madeAt: string): Date {
  const india = new Date(new Date(madeAt).getTime() + 5.5 * 3_600_000);
  return new Date(india.getUTCFullYear(), india.getUTCMonth(), india.getUTCDate(), 12);
}

/**
 * Writes a pack, file by file. Call `add` for the list first, then for each listed file in the list's order, with its bytes
 * in chunks of any size; then `end`.
 * @param emit gets the bytes of the ZIP in their order
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
  /** Nothing was changed, added or taken away, and the log has signed the list. */
  valid: boolean;
  list: PackList | null;
  /** One for each file of the list and each file that it does not name, `LIST.txt` first, the ZIP itself last. */
  files: { name: string; fault: PackFault | null }[];
};
/**
 * `changed`: other bytes than listed. `missing`: listed and not there. `added`: there and not listed. `unsigned`: the list does
 * not carry the log's signature, or cannot be read.
 */
export type PackFault = 'changed' | 'missing' | 'added' | 'unsigned';

/** The name under which a finding speaks of the bytes between the files. */
export const ARCHIVE = 'ZIP';

/** Checks a pack as a stranger does. @param key of the log that signed */
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

/** A file of a pack that can be read; undefined where there is none of this name. */
export const fileInPack = (pack: Uint8Array, name: string): Uint8Array | undefined => unzip(pack)?.get(name);

function signedList(bytes: Uint8Array, key: NoteKey): PackList | undefined {
  const text = textIn(bytes);
  if (text === undefined) return undefined;
  try {
    const note = parseNote(text);
    // Written again, so that nothing can be below the signature.
    const [signature] = note.signatures;
    if (!signature || !verifyNote(note, key)) return undefined;
    const written = utf8(`${note.body}\n${signatureLine(key, signature.bytes)}`);
    return equal(written, bytes) ? readList(note.body) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Undefined for bytes that are not UTF-8. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    return textOf(bytes);
  } catch {
    return undefined; // the only thing that decoding throws for
  }
}

/** The pack as {@link packWriter} would have written these files. */
function rewritten(list: PackList, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const chunks: Uint8Array[] = [];
  const writer = packWriter(list.madeAt, (chunk) => chunks.push(chunk));
  for (const name of [LIST_NAME, ...list.files.map((file) => file.name)])
    writer.add(name).write(files.get(name) ?? new Uint8Array(), true);
  writer.end();
  return concat(...chunks);
}

/** Undefined for what is not a ZIP that can be read, or one whose files are compressed: a pack's never are. */
function unzip(pack: Uint8Array): Map<string, Uint8Array> | undefined {
  try {
    let stored = true;
    const names = new Set<string>();
    const files = unzipSync(pack, {
      filter: ({ name, compression }) => {
        // Entries that a directory states and does not have are without a name; it can state four billion of them.
        if (names.has(name)) throw new RangeError('two files of one name');
        names.add(name);
        stored &&= compression === 0;
        return compression === 0;
      },
    });
    return stored ? new Map(Object.entries(files)) : undefined;
  } catch {
    return undefined; // fflate throws errors of many kinds for what it cannot read
  }
}

async function hexSha256(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}
