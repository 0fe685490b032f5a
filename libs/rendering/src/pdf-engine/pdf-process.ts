import { closeSync, openSync, readFileSync, writevSync } from 'node:fs';
import { RenderError } from '../errors.ts';
import { assemble, type Part } from '../pdf/assemble.ts';
import { comparePages, drawPicture } from './compare-pages.ts';
import { inspectPdf } from '../pdf/inspect.ts';
import { placesOf } from '../pdf/places.ts';
import { withPdfium } from '../pdf/pdfium.ts';
import type { FilePart, PdfReply, PdfRequest } from './pdf-messages.ts';
import { drawThumbnail } from './thumbnail.ts';

/**
 * Entry of the PDF process. Uploaded PDFs are hostile and parsing cannot be interrupted, so it runs where the
 * service can kill it. Serves one request at a time and ends with its parent.
 */
process.on('message', (request: PdfRequest) => {
  void handle(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit(0));

async function handle(request: PdfRequest): Promise<PdfReply> {
  try {
    if (request.op === 'inspect') {
      const { name, path, maxPages, isConverted } = request;
      return { pages: [await inspectPdf(name, readFileSync(path), maxPages, isConverted)] };
    }
    if (request.op === 'places') {
      const { name, path, ids, maxPages } = request;
      return { pages: await placesOf(name, readFileSync(path), ids, maxPages) };
    }
    if (request.op === 'recover') {
      const copy = await withPdfium(readFileSync(request.path), (document) => document.copy());
      if (copy) write(request.out, [copy]);
      return { pages: copy ? [1] : [] };
    }
    if (request.op === 'thumbnail') {
      await drawThumbnail(request);
      return { pages: [] };
    }
    if (request.op === 'compare') return { pages: [], comparisons: await comparePages(request) };
    if (request.op === 'picture') return { pages: [(await drawPicture(request)) ? 1 : 0] };
    const { pieces, ...rest } = await assemble(request.parts.map(load), request.metadata, request.maxPages);
    write(request.out, pieces);
    return rest;
  } catch (error) {
    return { error: toWire(error) };
  }
}

function load(part: FilePart): Part {
  if (part.kind === 'image') return withBytes(part);
  const { pictures, ...rest } = part;
  return { ...withBytes(rest), pictures: pictures?.map(withBytes) };
}

function withBytes<T extends { path: string }>({ path, ...rest }: T): Omit<T, 'path'> & { bytes: Buffer } {
  return { ...rest, bytes: readFileSync(path) };
}

/** Synchronous, since the process does nothing else meanwhile. */
function write(path: string, pieces: readonly Uint8Array[]): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let at = 0; at < pieces.length; at += BATCH) writeAll(file, pieces.slice(at, at + BATCH));
  } finally {
    closeSync(file);
  }
}

/** The number of pieces per call; systems take at most 1024. */
const BATCH = 512;

function writeAll(file: number, pieces: readonly Uint8Array[]): void {
  let rest = pieces;
  while (rest.length > 0) {
    let written = writevSync(file, rest as Uint8Array[]);
    const next = rest.findIndex((piece) => (written -= piece.length) < 0);
    if (next < 0) return;
    const piece = rest[next] ?? new Uint8Array(0);
    rest = [piece.subarray(piece.length + written), ...rest.slice(next + 1)]; // partial write
  }
}

function toWire(error: unknown): { code: RenderError['code']; message: string; file: string | undefined } {
  if (error instanceof RenderError) return { code: error.code, message: error.message, file: error.file };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'engine_failed', message: `The PDF could not be put together: ${message}`, file: undefined };
}
