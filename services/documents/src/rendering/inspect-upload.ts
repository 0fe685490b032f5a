import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError, type RenderErrorCode } from './errors.ts';
import { probeImage } from './images.ts';
import { checkOffice } from './office-check.ts';
import type { FilePart } from './pdf-messages.ts';
import type { FileSource, RawFileKind, RenderLimits, UploadInspection } from './types.ts';

const ENCRYPTED: readonly RenderErrorCode[] = ['pdf_encrypted', 'office_encrypted'];
const REFUSALS: readonly RenderErrorCode[] = [
  ...ENCRYPTED,
  'pdf_broken',
  'image_broken',
  'office_broken',
  'office_macros',
  'too_large',
  'timeout',
];

const FAULTS: Partial<Record<RenderErrorCode, 'macros' | 'large'>> = {
  office_macros: 'macros',
  too_large: 'large',
};

/** Whether composing will be able to use this upload, and what to tell the user when it will not. */
export async function inspectUpload(
  file: FileSource & { name: string; kind: RawFileKind },
  tools: { dir: string; limits: RenderLimits; countPages: (part: FilePart) => Promise<number> },
): Promise<UploadInspection> {
  const { kind, name } = file;
  try {
    return {
      kind,
      pages: await look(file, tools),
      encrypted: false,
      broken: false,
      fault: undefined,
      reason: undefined,
    };
  } catch (error) {
    if (!(error instanceof RenderError) || !REFUSALS.includes(error.code)) throw error;
    const encrypted = ENCRYPTED.includes(error.code);
    const broken = !encrypted && error.code !== 'office_macros';
    // A file on which our reader hangs is as good as broken to the user.
    const reason = error.code === 'timeout' ? `"${name}" cannot be read.` : error.message;
    const fault = encrypted ? 'locked' : (FAULTS[error.code] ?? 'broken');
    return { kind, pages: undefined, encrypted, broken, fault, reason };
  }
}

async function look(
  file: FileSource & { name: string; kind: RawFileKind },
  {
    dir,
    limits,
    countPages,
  }: { dir: string; limits: RenderLimits; countPages: (part: FilePart) => Promise<number> },
): Promise<number | undefined> {
  const { name, kind } = file;
  const size = file.path === undefined ? file.bytes.length : (await stat(file.path)).size;
  if (size > limits.fileBytes) throw new RenderError('too_large', `"${name}" is too large.`, { file: name });
  if (kind === 'pdf') {
    const path = file.path ?? join(dir, 'upload.pdf');
    if (file.path === undefined) await writeFile(path, file.bytes);
    return countPages({ kind, name, path });
  }
  const bytes = file.path === undefined ? file.bytes : await readFile(file.path);
  if (kind === 'image') {
    await probeImage(name, bytes, limits);
    return 1;
  }
  checkOffice(name, kind, bytes);
  return undefined;
}
