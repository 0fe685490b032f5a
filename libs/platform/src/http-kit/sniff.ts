import { open } from 'node:fs/promises';
import { fileTypeFromTokenizer } from 'file-type';
import { fromFile } from 'strtok3';
import type { SpooledFile } from './types.ts';

export type SniffedKind = { kind: SpooledFile['kind']; mime: string };

const OTHER: SniffedKind = { kind: 'other', mime: 'application/octet-stream' };
const IMAGES = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp']);
const PDF = 'application/pdf';
const DOC = 'application/msword';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const COMPOUND_FILE = 'application/x-cfb';

/** The name of the stream that makes a compound file a Word document (a spreadsheet has `Workbook`). */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');
const CHUNK = 256 * 1024;

/** Whether a file contains some bytes; reads it in chunks that overlap by the length of what is looked for. */
async function contains(path: string, wanted: Buffer): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
      if (buffer.subarray(0, bytesRead).includes(wanted)) return true;
      if (bytesRead < CHUNK) return false;
      position += CHUNK - wanted.length;
    }
  } finally {
    await file.close();
  }
}

/** What a file is, by its bytes. A name or a declared type is never looked at. */
export async function sniffFile(path: string): Promise<SniffedKind> {
  // `fileTypeFromFile` fetches the reader while it runs, from packages that are not in a bundle.
  const tokenizer = await fromFile(path);
  const found = await fileTypeFromTokenizer(tokenizer).finally(() => tokenizer.close());
  if (!found) return OTHER;
  const { mime } = found;
  if (IMAGES.has(mime)) return { kind: 'image', mime: mime === 'image/apng' ? 'image/png' : mime };
  if (mime === PDF) return { kind: 'pdf', mime };
  if (mime === DOCX) return { kind: 'docx', mime };
  if (mime === COMPOUND_FILE && (await contains(path, WORD_STREAM))) return { kind: 'doc', mime: DOC };
  return { kind: 'other', mime };
}
