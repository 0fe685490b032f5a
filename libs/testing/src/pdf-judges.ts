import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

/** Independent checks of our PDFs with poppler and qpdf, as a third party would run them. */

const run = promisify(execFile);

/** Runs a tool on a PDF; returns stdout and stderr together. */
export async function tool(name: string, args: (file: string) => string[], pdf: Uint8Array): Promise<string> {
  return inFolder(pdf, async (file) => {
    const { stdout, stderr } = await run(name, args(file), { maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { stdout?: string; stderr?: string }) => ({
        stdout: error.stdout ?? '',
        stderr: error.stderr ?? '',
      }),
    );
    return stdout + stderr;
  });
}

/** Returns the text of one page (from 1), or of all. */
export function textOf(pdf: Uint8Array, page?: number): Promise<string> {
  const pages = page === undefined ? [] : ['-f', String(page), '-l', String(page)];
  return tool('pdftotext', (file) => [...pages, '-layout', file, '-'], pdf);
}

export async function pageCount(pdf: Uint8Array): Promise<number> {
  const info = await tool('pdfinfo', (file) => [file], pdf);
  return Number(/^Pages:\s+(\d+)/m.exec(info)?.[1] ?? 0);
}

/** Returns the PDF with every stream unpacked, as latin-1 text, for searches. */
export function unpacked(pdf: Uint8Array): Promise<string> {
  return inFolder(pdf, async (file) => {
    const out = `${file}.qdf`;
    await run('qpdf', ['--qdf', '--object-streams=disable', '--warning-exit-0', file, out]);
    return (await readFile(out)).toString('latin1');
  });
}

/** Returns the complaint of `qpdf --check`, or '' for a valid file. */
export async function complaints(pdf: Uint8Array): Promise<string> {
  const text = await tool('qpdf', (file) => ['--check', file], pdf);
  return text.includes('No syntax or stream encoding errors found') && !text.includes('WARNING') ? '' : text;
}

export interface Picture {
  width: number;
  height: number;
  /** RGB, three bytes per pixel. */
  pixels: Buffer;
  /** Colour at a fraction of width and height. */
  at(x: number, y: number): [number, number, number];
}

/** Renders a page with poppler. */
export function paint(pdf: Uint8Array, page: number, dpi = 50): Promise<Picture> {
  return inFolder(pdf, async (file) => {
    await run('pdftoppm', [
      '-r',
      String(dpi),
      '-f',
      String(page),
      '-l',
      String(page),
      '-png',
      '-singlefile',
      file,
      file,
    ]);
    const { data, info } = await sharp(`${file}.png`)
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return {
      width,
      height,
      pixels: data,
      at(x, y) {
        const offset =
          (Math.min(height - 1, Math.floor(y * height)) * width +
            Math.min(width - 1, Math.floor(x * width))) *
          3;
        return [data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0];
      },
    };
  });
}

/** Returns the largest difference of one channel at any pixel; Infinity if the sizes differ. */
export function difference(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.pixels.length; i += 1)
    largest = Math.max(largest, Math.abs((a.pixels[i] ?? 0) - (b.pixels[i] ?? 0)));
  return largest;
}

async function inFolder<T>(pdf: Uint8Array, work: (file: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'karaar-pdf-'));
  try {
    const file = join(dir, 'file.pdf');
    await writeFile(file, pdf);
    return await work(file);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
