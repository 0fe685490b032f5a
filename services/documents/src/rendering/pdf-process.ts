import { readFile, writeFile } from 'node:fs/promises';
import { RenderError } from './errors.ts';
import { assemble, type Part } from './pdf/assemble.ts';
import { inspectPdf } from './pdf/inspect.ts';
import type { FilePart, PdfReply, PdfRequest } from './pdf-messages.ts';

/**
 * Entry of the PDF process. Uploaded PDFs are hostile input and parsing them cannot be interrupted, so it
 * happens here, where the service can kill it. One request at a time; ends with its parent.
 */
process.on('message', (request: PdfRequest) => {
  void handle(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit(0));

async function handle(request: PdfRequest): Promise<PdfReply> {
  try {
    if (request.op === 'inspect') {
      return { pages: [await inspectPdf(request.name, await readFile(request.path), request.maxPages)] };
    }
    const parts = await Promise.all(request.parts.map(load));
    const { pdf, pages } = await assemble(parts, request.metadata, request.maxPages);
    await writeFile(request.out, pdf);
    return { pages };
  } catch (error) {
    return { error: toWire(error) };
  }
}

async function load(part: FilePart): Promise<Part> {
  const { path, ...rest } = part;
  return { ...rest, bytes: await readFile(path) };
}

function toWire(error: unknown): { code: RenderError['code']; message: string; file: string | undefined } {
  if (error instanceof RenderError) return { code: error.code, message: error.message, file: error.file };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'engine_failed', message: `The PDF could not be put together: ${message}`, file: undefined };
}
