import { RenderError } from '../errors.ts';
import { isCompoundFile, readCompoundFile, type CompoundFile } from './compound-file.ts';
import { hasMacros, isProjectWithMacros, MOST_PROJECT } from './macros.ts';
import { MAX_ENTRIES, unzipWithin } from './unzip-within.ts';

const RTF = Buffer.from('{\\rtf');

/** A larger DOCX is treated as a zip bomb. */
const MAX_UNPACKED = 512 * 1024 * 1024;

/**
 * Checks a Word file without converting it: its container, encryption, macros and unpacked size.
 * @throws RenderError `office_encrypted`, `office_macros`, `office_broken` or `too_large`
 */
export function checkOffice(name: string, kind: 'doc' | 'docx', bytes: Uint8Array): void {
  const isOle = isCompoundFile(bytes);
  const streams = readCompoundFile(bytes);
  if (isOle && isLockedPackage(bytes, streams)) throw encrypted(name);
  if (kind === 'docx') return checkPackage(name, bytes);
  if (isRtf(bytes)) return; // RTF with the extension .doc: it cannot carry macros
  if (!isOle) throw broken(name);
  if (fibOf(bytes, streams)?.encrypted) throw encrypted(name);
  if (streams ? hasMacros(streams) : namesMacros(bytes)) throw macros(name);
}

function checkPackage(name: string, bytes: Uint8Array): void {
  let unpacked = 0;
  let entries = 0;
  let document = false;
  let projectBytes = 0;
  let active: boolean;
  try {
    const projects = unzipWithin(bytes, (entry) => {
      unpacked += entry.originalSize;
      entries += 1;
      document ||= /^word\//i.test(entry.name);
      // In any folder and with any extension: a DOCM renamed to DOCX still has macros.
      const isProject = /(^|\/)vbaProject\.bin$/i.test(entry.name);
      if (isProject) projectBytes += entry.originalSize;
      return isProject && projectBytes <= MOST_PROJECT; // the directory shows enough of the other entries
    });
    active = projectBytes > MOST_PROJECT || [...projects.values()].some(isProjectWithMacros);
  } catch {
    throw entries >= MAX_ENTRIES ? tooLarge(name) : broken(name);
  }
  if (unpacked > MAX_UNPACKED) throw tooLarge(name);
  if (!document) throw broken(name);
  if (active) throw macros(name);
}

/**
 * Returns true for an encrypted DOCX: an OLE file with the package in a stream of this name at the root
 * (MS-OFFCRYPTO §2.3). An embedded encrypted file has such a stream below the root.
 */
function isLockedPackage(bytes: Uint8Array, streams: CompoundFile | undefined): boolean {
  if (streams) return streams.has('encryptedpackage');
  return Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

/** LibreOffice's import filters by the real format of a Word file, whatever its extension. */
const FILTERS = {
  docx: 'MS Word 2007 XML',
  rtf: 'Rich Text Format',
  word97: 'MS Word 97',
  word95: 'MS Word 95',
  word6: 'MS WinWord 6.0',
} as const;

/** Returns the LibreOffice filter for a file that passed `checkOffice`. */
export function officeFilter(kind: 'doc' | 'docx', bytes: Uint8Array): string {
  if (kind === 'docx') return FILTERS.docx;
  if (isRtf(bytes)) return FILTERS.rtf;
  const version = fibOf(bytes, readCompoundFile(bytes))?.version ?? WORD_97;
  if (version >= WORD_97) return FILTERS.word97;
  return version >= WORD_95 ? FILTERS.word95 : FILTERS.word6;
}

/** Returns true for RTF content, whatever the file's extension. */
export const isRtf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).equals(RTF);

/** The first `FibBase.nFib` of each generation (MS-DOC §2.5.1; Word 6 wrote 101, Word 95 103 and 104). */
const [WORD_97, WORD_95] = [0xc0, 102];
/** The values of `wIdent`: Word 97 and later, Word 6 and 95. */
const MAGICS = [0xa5ec, 0xa5dc, 0xa699];

interface Fib {
  version: number;
  encrypted: boolean;
}

/**
 * Returns FibBase of the WordDocument stream (MS-DOC §2.5.2). If the directory cannot be read, searches for
 * its magic number at the start of each sector, short sectors included.
 */
function fibOf(bytes: Uint8Array, streams: CompoundFile | undefined): Fib | undefined {
  const main = streams?.get('worddocument');
  if (main) return fibAt(bytes, main.placeOf(0));
  for (let at = 512; at + 12 <= bytes.length; at += 64) {
    const fib = fibAt(bytes, at);
    if (fib) return fib;
  }
  return undefined;
}

function fibAt(bytes: Uint8Array, at: number): Fib | undefined {
  if (at + 12 > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint16(at + 2, true);
  if (!MAGICS.includes(view.getUint16(at, true)) || version < 100 || version > 0x200) return undefined;
  return { version, encrypted: (view.getUint16(at + 10, true) & 0x0100) !== 0 };
}

/** For an unreadable directory: returns true if an entry has the name of a macro storage (MS-OVBA §2.2). */
function namesMacros(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A name is in UTF-16 and ends with a zero; it takes the first 64 of the 128 bytes of an entry.
  return ['_VBA_PROJECT_CUR', '_VBA_PROJECT', 'Macros'].some((entry) => {
    const encodedName = Buffer.from(`${entry}\0`, 'utf16le');
    for (let at = file.indexOf(encodedName); at >= 0; at = file.indexOf(encodedName, at + 2)) {
      if (at % 128 === 0 && at + 66 <= file.length && file.readUInt16LE(at + 64) === encodedName.length)
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
