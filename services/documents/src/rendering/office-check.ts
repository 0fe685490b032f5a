import { unzipSync } from 'fflate';
import { RenderError } from './errors.ts';

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

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
    if (!ole) throw broken(name);
    if (isEncryptedDoc(bytes)) throw encrypted(name);
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
        document ||= entry.name.startsWith('word/');
        // Whatever the folder and the file's own extension: a DOCM saved as DOCX is still one.
        active ||= /(^|\/)(vbaProject\.bin|vbaData\.xml)$/i.test(entry.name);
        return false; // the directory is enough
      },
    });
  } catch {
    throw broken(name);
  }
  if (!document) throw broken(name);
  if (active) throw macros(name);
  if (unpacked > MAX_UNPACKED || entries > MAX_ENTRIES) {
    throw new RenderError('too_large', `"${name}" unpacks to too much. Please upload it as PDF.`, {
      file: name,
    });
  }
}

/** FibBase.fEncrypted of the WordDocument stream (MS-DOC §2.5.2), found by its magic at a sector start. */
function isEncryptedDoc(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 512; at + 12 <= bytes.length; at += 512) {
    if (view.getUint16(at, true) === 0xa5ec) return (view.getUint16(at + 10, true) & 0x0100) !== 0;
  }
  return false;
}

/** The storages in which Word keeps a VBA project, as entries of the compound file's directory (MS-OVBA §2.2). */
function hasOleMacros(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // An entry's name is UTF-16 and ends with a zero; entries are 128 bytes, of which the name is the first 64.
  return ['_VBA_PROJECT_CUR', '_VBA_PROJECT', 'Macros'].some((entry) => {
    const wanted = Buffer.from(`${entry}\0`, 'utf16le');
    for (let at = file.indexOf(wanted); at >= 0; at = file.indexOf(wanted, at + 2)) {
      if (at % 128 === 0 && file.readUInt16LE(at + 64) === wanted.length) return true;
    }
    return false;
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
