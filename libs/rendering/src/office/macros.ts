/** Finds macros in a Word file: a VBA project with code (MS-OVBA). */
import { readCompoundFile, type CompoundFile } from './compound-file.ts';

/** Larger VBA projects count as macros. */
export const MOST_PROJECT = 16 * 1024 * 1024;

/** Matches a module of a project, but not its directory or the caches of programs. */
const MODULE = /(^|\/)vba\/(?!dir$|_vba_project$|__srp_)[^/]+$/;

/**
 * Returns true if a project (`vbaProject.bin` of a DOCX, or a whole DOC) has a module with code. Word keeps a
 * project of empty modules after the last macro is deleted. An unreadable module counts as a macro.
 */
export function hasMacros(file: CompoundFile): boolean {
  const modules = [...file].filter(([path]) => MODULE.test(path)).map(([, stream]) => stream);
  const bytes = modules.reduce((sum, { size }) => sum + size, 0);
  return bytes > MOST_PROJECT || modules.some(({ size, read }) => size > 0 && isWritten(read()));
}

/** Same as `hasMacros` for the bytes of a project; true if they cannot be read. */
export function isProjectWithMacros(bytes: Uint8Array): boolean {
  const file = readCompoundFile(bytes);
  return file === undefined || hasMacros(file);
}

/** Lines without effect: attributes that Word writes, options, comments. */
const IDLE = /^\s*($|Attribute\s|Option\s|'|Rem\b)/i;

function isWritten(module: Buffer): boolean {
  const source = sourceOf(module);
  return source === undefined || source.split(/\r\n?|\n/).some((line) => !IDLE.test(line));
}

/** A module with more text counts as a macro. */
const MOST_TEXT = 1024 * 1024;

/** Returns the text of a module, which is compressed after a cache of any length; undefined without such a text. */
function sourceOf(module: Buffer): string | undefined {
  // Each module begins with "Attribute VB_Name": one byte for the container, two for the first chunk, one for
  // eight literals.
  const begin = module.indexOf('\0Attribut', 0, 'latin1') - 3;
  if (begin < 0 || module[begin] !== 1) return undefined;
  const text: number[] = [];
  for (let at = begin + 1; at + 2 <= module.length;) {
    const head = module.readUInt16LE(at);
    const end = Math.min(module.length, at + (head & 0x0fff) + 3);
    if (((head >> 12) & 7) !== 3 || text.length > MOST_TEXT) return undefined;
    if ((head & 0x8000) === 0) text.push(...module.subarray(at + 2, end));
    else if (!unpackPart(module.subarray(at + 2, end), text)) return undefined;
    at = end;
  }
  return Buffer.from(text).toString('latin1');
}

/**
 * Adds the text of one chunk (MS-OVBA §2.4.1.3.2); returns false if it refers to text before its beginning.
 */
function unpackPart(part: Buffer, text: number[]): boolean {
  const start = text.length;
  for (let at = 0; at < part.length;) {
    const flags = part[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < part.length; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        text.push(part[at++] ?? 0);
        continue;
      }
      if (at + 2 > part.length) return false;
      const token = part.readUInt16LE(at);
      at += 2;
      const bits = Math.max(4, Math.ceil(Math.log2(text.length - start)));
      const length = (token & (0xffff >> bits)) + 3;
      const from = text.length - (token >> (16 - bits)) - 1;
      if (from < start) return false;
      for (let i = 0; i < length; i += 1) text.push(text[from + i] ?? 0);
    }
  }
  return true;
}
