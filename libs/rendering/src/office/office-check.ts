import { unzipSync } from 'fflate';
import { RenderError } from '../errors.ts';

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const RTF = Buffer.from('{\\rtf');

/** More than this inside a DOCX is a bomb, not a letter. */
const MAX_UNPACKED = 512 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/**
 * A quick look at a Word file, without converting it: is it the container it should be, is it locked with
 * a password, does it carry macros, does it unpack to something sane. Throws `office_encrypted`, `office_macros`,
 * `office_broken`, `too_large`.
 */
export function checkOffice(name: string, kind: 'doc' | 'docx', bytes: Uint8Array): void {
  const ole = Buffer.from(bytes.subarray(0, 8)).equals(OLE);
  // A locked DOCX is an OLE file with the package encrypted in a stream of this name (MS-OFFCRYPTO §2.3).
  if (ole && Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw encrypted(name);
  if (kind === 'doc') {
    if (isRtf(bytes)) return; // a letter saved as RTF under the name of a DOC: it carries no macros
    if (!ole) throw broken(name);
    if (fibOf(bytes)?.encrypted) throw encrypted(name);
    if (hasOleMacros(bytes)) throw macros(name);
    return;
  }
  let unpacked = 0;
  let entries = 0;
  let document = false;
  let active = false;
  try {
    unzipSync(bytes, {
      filter: (entry) => {
        unpacked += entry.originalSize;
        entries += 1;
        // Here and not afterwards: a directory can state four billion entries that are not there.
        if (unpacked > MAX_UNPACKED || entries > MAX_ENTRIES) throw tooLarge(name);
        document ||= entry.name.startsWith('word/');
        // Whatever the folder and the file's own extension: a DOCM saved as DOCX is still one.
        active ||= /(^|\/)(vbaProject\.bin|vbaData\.xml)$/i.test(entry.name);
        return false; // the directory is enough
      },
    });
  } catch (error) {
    throw error instanceof RenderError ? error : broken(name);
  }
  if (!document) throw broken(name);
  if (active) throw macros(name);
}

/** LibreOffice's import filters for what a Word file may be inside, whatever its name says. */
const FILTERS = {
  docx: 'MS Word 2007 XML',
  rtf: 'Rich Text Format',
  word97: 'MS Word 97',
  word95: 'MS Word 95',
  word6: 'MS WinWord 6.0',
} as const;

/** The filter with which LibreOffice opens a file that `checkOffice` has passed. */
export function officeFilter(kind: 'doc' | 'docx', bytes: Uint8Array): string {
  if (kind === 'docx') return FILTERS.docx;
  if (isRtf(bytes)) return FILTERS.rtf;
  const version = fibOf(bytes)?.version ?? WORD_97;
  if (version >= WORD_97) return FILTERS.word97;
  return version >= WORD_95 ? FILTERS.word95 : FILTERS.word6;
}

/** Whether a file is RTF, whatever its name says. */
export const isRtf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).equals(RTF);

/** `FibBase.nFib` of the first file of each generation (MS-DOC §2.5.1; Word 6 wrote 101, Word 95 103 and 104). */
const [WORD_97, WORD_95] = [0xc0, 102];
/** What `wIdent` may say: Word 97 and later, Word 6 and 95. */
const MAGICS = [0xa5ec, 0xa5dc, 0xa699];

/** FibBase of the WordDocument stream (MS-DOC §2.5.2), found by its magic where a sector starts, a short one included. */
function fibOf(bytes: Uint8Array): { version: number; encrypted: boolean } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 512; at + 12 <= bytes.length; at += 64) {
    if (!MAGICS.includes(view.getUint16(at, true))) continue;
    const version = view.getUint16(at + 2, true);
    if (version < 100 || version > 0x200) continue;
    return { version, encrypted: (view.getUint16(at + 10, true) & 0x0100) !== 0 };
  }
  return undefined;
}

/** The storages in which Word keeps a VBA project, as entries of the compound file's directory (MS-OVBA §2.2). */
function hasOleMacros(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // An entry's name is UTF-16 and ends with a zero; entries are 128 bytes, of which the name is the first 64.
  return ['_VBA_PROJECT_CUR', '_VBA_PROJECT', 'Macros'].some((entry) => {
    const wanted = Buffer.from(`${entry}\0`, 'utf16le');
    for (let at = file.indexOf(wanted); at >= 0; at = file.indexOf(wanted, at + 2)) {
      if (at % 128 === 0 && at + 66 <= file.length && file.readUInt16LE(at + 64) === wanted.length)
        return true;
    }
    return false;
  });
}

function tooLarge(name: string): RenderError {
  return new RenderError('too_large', `"${name}" unpacks to too much. Please upload it as PDF.`, {
    file: name,
  });
}

function macros(name: string): RenderError {
  return new RenderError(
    'office_macros',
    `"${name}" contains macros. Please save it without macros (DOCX) or as PDF.`,
    { file: name },
  );
}

function encrypted(name: string): RenderError {
  return new RenderError(
    'office_encrypted',
    `"${name}" is protected with a password. Please upload it without protection.`,
    {
      file: name,
    },
  );
}

function broken(name: string): RenderError {
  return new RenderError('office_broken', `"${name}" is not a Word file that can be read.`, { file: name });
}
