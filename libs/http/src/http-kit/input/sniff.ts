import { open } from 'node:fs/promises';
import { fileTypeFromTokenizer } from 'file-type';
import { fromFile } from 'strtok3';
import type { SpooledFile } from '../types.ts';

export type SniffedKind = { kind: SpooledFile['kind']; mime: string };

const OTHER: SniffedKind = { kind: 'other', mime: 'application/octet-stream' };
const IMAGES = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp']);
const PDF = 'application/pdf';
const DOC = 'application/msword';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/**
 * Documents, templates and files with macros have the same package format: the service decides which it
 * accepts.
 */
const DOCX_LIKE = new Set([
  DOCX,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  'application/vnd.ms-word.document.macroenabled.12',
  'application/vnd.ms-word.template.macroenabled.12',
]);
const RTF = new Set(['application/rtf', 'text/rtf']);
const COMPOUND_FILE = 'application/x-cfb';

/** The stream name that marks a compound file as a Word document (a spreadsheet has `Workbook`). */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');
/** The stream of a password-protected package (MS-OFFCRYPTO §2.3): most are Word files. */
const LOCKED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');
const CHUNK = 256 * 1024;

/**
 * Returns true if a file contains a name, case-insensitively (MS-CFB §2.6.4). The chunks overlap by the
 * name's length.
 */
async function contains(path: string, wanted: Buffer): Promise<boolean> {
  const name = wanted.toString('latin1').toLowerCase();
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
      if (buffer.toString('latin1', 0, bytesRead).toLowerCase().includes(name)) return true;
      if (bytesRead < CHUNK) return false;
      position += CHUNK - wanted.length;
    }
  } finally {
    await file.close();
  }
}

/**
 * Returns true for a PDF with other bytes before its header, such as those of an e-mail: readers search the
 * first 1024 bytes.
 */
async function beginsLate(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead).includes('%PDF-');
  } finally {
    await file.close();
  }
}

/** Detects the type of a file by its bytes. Ignores its name and declared type. */
export async function sniffFile(path: string): Promise<SniffedKind> {
  // `fileTypeFromFile` imports the reader dynamically, from packages that are not in a bundle.
  const tokenizer = await fromFile(path);
  let found: Awaited<ReturnType<typeof fileTypeFromTokenizer>>;
  try {
    found = await fileTypeFromTokenizer(tokenizer);
  } finally {
    await tokenizer.close();
  }
  if (!found) return (await beginsLate(path)) ? { kind: 'pdf', mime: PDF } : OTHER;
  const mime = found.mime.toLowerCase();
  if (IMAGES.has(mime)) return { kind: 'image', mime: mime === 'image/apng' ? 'image/png' : mime };
  if (mime === PDF) return { kind: 'pdf', mime };
  if (DOCX_LIKE.has(mime)) return { kind: 'docx', mime };
  if (RTF.has(mime)) return { kind: 'doc', mime };
  if (mime === COMPOUND_FILE) {
    if (await contains(path, WORD_STREAM)) return { kind: 'doc', mime: DOC };
    if (await contains(path, LOCKED_STREAM)) return { kind: 'docx', mime: DOCX };
  }
  return { kind: 'other', mime };
}
