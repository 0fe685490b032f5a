import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asRenderError, deadline } from '../processes/deadline.ts';
import { RenderError } from '../errors.ts';
import { isolated, runBounded, withFileSize, withMemory } from '../processes/process.ts';
import type { RenderLimits } from '../types.ts';

export interface PopplerTools {
  pdftoppmPath: string;
  limits: Pick<RenderLimits, 'popplerMs' | 'pdfMemory'>;
  signal: AbortSignal;
}

/**
 * Draws pages with Poppler, each into a file of the new folder `dir`; a page that it cannot draw is absent.
 * Undefined if Poppler does not finish.
 * @param pages the first and the last page, from 0
 * @param how the kind of file, and dots per inch or the pixels of a page's longest side
 */
export async function drawWithPoppler(
  path: string,
  pages: { from: number; to: number },
  how: { dir: string; as: 'ppm' | 'png' } & ({ dpi: number } | { side: number }),
  tools: PopplerTools,
): Promise<Map<number, string> | undefined> {
  await mkdir(how.dir);
  const size = [
    ...('dpi' in how ? ['-r', how.dpi] : ['-scale-to', how.side]),
    ...(how.as === 'png' ? ['-png'] : []),
  ];
  const range = ['-f', pages.from + 1, '-l', pages.to + 1];
  const args = ['-q', '-cropbox', ...size, ...range].map(String);
  const command = [tools.pdftoppmPath, ...args, path, join(how.dir, 'page')];
  // The exit code does not show which pictures exist.
  if (!(await run('Drawing the pages', command, how.dir, tools))) return undefined;
  const found = new Map<number, string>();
  for (const name of await readdir(how.dir)) {
    const number = /^page-(\d+)\.(ppm|png)$/.exec(name)?.[1];
    if (number !== undefined) found.set(Number(number) - 1, join(how.dir, name));
  }
  return found;
}

/** The limit for a whole file, in UTF-8: far more than anyone reads. */
const MOST_TEXT = 8 * 1024 * 1024;

/**
 * Returns the text of each page as Poppler reads it; null for a page without text, and for all pages if the
 * text is too long, cannot be assigned to pages, or Poppler does not finish.
 * @param dir a new folder
 */
export async function textWithPoppler(
  path: string,
  pages: number,
  dir: string,
  tools: PopplerTools,
): Promise<(string | null)[]> {
  await mkdir(dir);
  const out = join(dir, 'text');
  // Both programs are in one package and in one folder.
  const { pdftoppmPath } = tools;
  const program =
    basename(pdftoppmPath) === pdftoppmPath ? 'pdftotext' : join(dirname(pdftoppmPath), 'pdftotext');
  const command = [...withFileSize(MOST_TEXT), program, '-q', '-enc', 'UTF-8', path, out];
  const isRead = await run('Reading the text', command, dir, tools);
  const text = isRead ? await readFile(out, 'utf8').catch(() => '') : '';
  // Each page ends with a form feed.
  const parts = text.split('\f');
  if (parts.length !== pages + 1) return Array.from({ length: pages }, () => null);
  return parts.slice(0, pages).map((part) => part.replace(/[^\P{Cc}\n]/gu, '').trim() || null);
}

/**
 * Runs a Poppler program without network, with limits of time and memory; returns true if it ended in time.
 * @throws RenderError
 */
async function run(
  what: string,
  command: readonly string[],
  dir: string,
  { limits, signal: outer }: PopplerTools,
): Promise<boolean> {
  const limit = deadline(limits.popplerMs, what, outer);
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: dir };
  const bounded = [...isolated(), ...withMemory(4 * limits.pdfMemory), ...command];
  await runBounded(bounded, { cwd: dir, env, signal: limit.signal })
    .catch((cause: unknown) => {
      throw new RenderError('engine_failed', 'Poppler could not be started.', { cause });
    })
    .finally(limit.done);
  if (outer.aborted) throw asRenderError(outer.reason);
  return !limit.signal.aborted;
}
