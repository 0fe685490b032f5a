import { readFile } from 'node:fs/promises';
import { asRenderError, deadline } from '../processes/deadline.ts';
import { RenderError } from '../errors.ts';
import { broken, encrypted, unknownCipher } from '../pdf/source.ts';
import { isolated, runBounded, withMemory } from '../processes/process.ts';
import type { RenderLimits } from '../types.ts';

/** The exit code of qpdf after warnings, such as a repair. */
const WITH_WARNINGS = 3;
const HEADER = Buffer.from('%PDF-');

export interface RepairTools {
  qpdfPath: string;
  dir: string;
  limits: Pick<RenderLimits, 'pdfMs' | 'pdfMemory'>;
  signal: AbortSignal;
}

/**
 * Rewrites an upload with qpdf to `out`: one revision, one plain object table, damage repaired as viewers do,
 * and without encryption if it opens without a password.
 * @throws RenderError `pdf_encrypted` if it needs a password, `pdf_cipher` if no password opens it (a
 * certificate, rights management), `pdf_broken` if too little is left or a part was cut off
 */
export async function repairPdf(
  file: { name: string; path: string; out: string },
  { qpdfPath, dir, limits, signal: outer }: RepairTools,
): Promise<void> {
  const bytes = await readFile(file.path);
  if (bytes.subarray(0, 1024).indexOf(HEADER) < 0) throw broken(file.name, 'it does not begin as one');
  const limit = deadline(limits.pdfMs, `Reading "${file.name}"`, outer);
  const command = [
    ...isolated(),
    ...withMemory(2 * limits.pdfMemory),
    qpdfPath,
    ...['--decrypt', '--object-streams=disable', '--stream-data=preserve', file.path, file.out],
  ];
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };
  const { code, output } = await runBounded(command, { cwd: dir, env, signal: limit.signal })
    .catch((cause: unknown) => {
      throw new RenderError('engine_failed', 'The program that repairs PDFs could not be started.', {
        cause,
      });
    })
    .finally(limit.done);
  if (limit.signal.aborted) throw asRenderError(limit.signal.reason);
  if (code === 0) return;
  if (code === WITH_WARNINGS) {
    if (isCutShort(bytes)) throw broken(file.name, 'it was cut short');
    return;
  }
  if (locksFilesAlone(bytes)) throw lockedFiles(file.name);
  if (/invalid password/i.test(output)) throw encrypted(file.name);
  if (/unsupported (encryption|\/R or \/V)/i.test(output)) throw unknownCipher(file.name);
  throw broken(
    file.name,
    'its structure is damaged',
    new Error(`qpdf ended with ${code}: ${output.slice(-500)}`),
  );
}

/**
 * Returns true if only attached files are encrypted, which viewers open without a password (ISO 32000-2
 * §7.6.6). An encryption dictionary is not in an object stream and not encrypted.
 */
function locksFilesAlone(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const at = [...text.matchAll(/\/Encrypt(?![A-Za-z])/g)].at(-1)?.index ?? -1;
  const [, number, generation] = /^\/Encrypt\s+(\d+)\s+(\d+)\s+R/.exec(text.slice(at, at + 100)) ?? [];
  const from = number === undefined ? at : startOf(text, `${number} ${generation} obj`);
  if (at < 0 || from < 0) return false;
  const dictionary = text.slice(from, from + LONGEST_DICTIONARY).split('endobj', 1)[0] ?? '';
  const filterOf = (key: string): string =>
    new RegExp(`/${key}\\s*/([^\\s/<>()[\\]]+)`).exec(dictionary)?.[1] ?? 'Identity';
  const isPlain = filterOf('StmF') === 'Identity' && filterOf('StrF') === 'Identity';
  return /\/V\s+[45]\b/.test(dictionary) && isPlain && filterOf('EFF') !== 'Identity';
}
const LONGEST_DICTIONARY = 8192;

/** Returns the start of the last object with this number: that of the newest revision. */
function startOf(text: string, head: string): number {
  let at = text.lastIndexOf(head);
  while (at > 0 && /\d/.test(text[at - 1] ?? '')) at = text.lastIndexOf(head, at - 1);
  return at;
}

function lockedFiles(name: string): RenderError {
  return new RenderError(
    'pdf_attachments',
    `"${name}" has other files attached to it, which are protected with a password and would not be sealed. Please upload those files one by one without protection, and this one without them.`,
    { file: name },
  );
}

/** Returns true if an object of a damaged file does not end, or nothing follows the last one. */
export function isCutShort(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const lastEnd = text.lastIndexOf('endobj');
  if (lastEnd < 0) return true;
  // Only the rest is searched: a file may contain "obj" millions of times.
  const rest = text.slice(lastEnd);
  return /\d\s+\d+\s+obj\b/.test(rest) || !/trailer|startxref|%%EOF/.test(rest);
}
