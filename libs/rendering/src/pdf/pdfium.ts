/** PDFium, which draws PDFs in Chromium, as WebAssembly. Runs in the PDF process: what it reads is hostile. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** Pixels in RGBA order, four bytes each. */
export interface Raster {
  width: number;
  height: number;
  data: Buffer;
}

/** An open document. */
export interface PdfiumDocument {
  pageCount: number;
  /** A page as a viewer shows it, form fields and comments included; undefined where PDFium cannot read the page. */
  render(page: number, scaleOf: (longestSide: number) => number): Raster | undefined;
  /** The file with an appearance for each field and comment that has none, and new ones where the form asks for them. */
  withAppearances(): Buffer;
  /** The file as PDFium has read it, damage repaired. */
  copy(): Buffer;
  /** The text of each page, as far as its letters are known. */
  texts(): string[];
  close(): void;
}

/** Draw comments (FPDF_ANNOT). */
const ANNOTATIONS = 1;
const WHITE = 0xffffffff;

let library: Promise<WrappedPdfiumModule> | undefined;

async function load(): Promise<WrappedPdfiumModule> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  const quiet = (): void => undefined; // its notes on damaged files are not ours to log: they quote the file
  const pdfium = await init({ wasmBinary, print: quiet, printErr: quiet });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/**
 * Opens a PDF that needs no password, hands it to `work` and closes it. Answers undefined where PDFium cannot open
 * it, or fails on it: its memory is then in an unknown state and is given up.
 */
export async function withPdfium<T>(
  bytes: Uint8Array,
  work: (document: PdfiumDocument) => Promise<T> | T,
): Promise<T | undefined> {
  library ??= load();
  const pdfium = await library;
  try {
    const document = open(pdfium, bytes);
    if (!document) return undefined;
    const result = await work(document);
    document.close();
    return result;
  } catch (error) {
    library = undefined;
    if (error instanceof Error && error.name === 'RuntimeError') return undefined; // WebAssembly's own
    throw error;
  }
}

function open(pdfium: WrappedPdfiumModule, bytes: Uint8Array): PdfiumDocument | undefined {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  // Read anew at each use: it is another one after the memory has grown. Its type is in a package of browser types.
  const memory = (): Uint8Array => (pdfium.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
  const input = malloc(bytes.length);
  memory().set(bytes, input);
  const document = pdfium.FPDF_LoadMemDocument(input, bytes.length, '');
  if (document === 0) {
    free(input);
    return undefined;
  }
  const formInfo = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, formInfo);

  function onPage<T>(index: number, work: (page: number) => T): T | undefined {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (page === 0) return undefined;
    pdfium.FORM_OnAfterLoadPage(page, form);
    try {
      return work(page);
    } finally {
      pdfium.FORM_OnBeforeClosePage(page, form);
      pdfium.FPDF_ClosePage(page);
    }
  }

  function paint(page: number, width: number, height: number): Buffer {
    // With an alpha channel: without one the text of fields would get coloured edges, as on an LCD.
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 1);
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS);
      pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, ANNOTATIONS);
      const from = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const size = pdfium.FPDFBitmap_GetStride(bitmap) * height;
      return asRgba(Buffer.from(memory().subarray(from, from + size)));
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  function textOf(page: number): string {
    const text = pdfium.FPDFText_LoadPage(page);
    if (text === 0) return '';
    const count = pdfium.FPDFText_CountChars(text);
    const output = malloc(2 * (count + 1)); // UTF-16 with a zero at its end
    try {
      const written = count > 0 ? pdfium.FPDFText_GetText(text, 0, count, output) : 0;
      const end = output + 2 * Math.max(0, written - 1);
      return Buffer.from(memory().subarray(output, end)).toString('utf16le');
    } finally {
      free(output);
      pdfium.FPDFText_ClosePage(text);
    }
  }

  function copy(): Buffer {
    const writer = pdfium.PDFiumExt_OpenFileWriter();
    try {
      pdfium.PDFiumExt_SaveAsCopy(document, writer);
      const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
      const output = malloc(size);
      pdfium.PDFiumExt_GetFileWriterData(writer, output, size);
      const bytes = Buffer.from(memory().subarray(output, output + size));
      free(output);
      return bytes;
    } finally {
      pdfium.PDFiumExt_CloseFileWriter(writer);
    }
  }

  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    render: (index, scaleOf) =>
      onPage(index, (page) => {
        const [w, h] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
        if (!(w > 0) || !(h > 0)) return undefined;
        const scale = scaleOf(Math.max(w, h));
        const [width, height] = [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))];
        return { width, height, data: paint(page, width, height) };
      }),
    withAppearances() {
      // PDFium makes appearances for a page when it draws it, and keeps them in the document.
      const count = pdfium.FPDF_GetPageCount(document);
      for (let index = 0; index < count; index += 1) onPage(index, (page) => paint(page, 8, 8));
      return copy();
    },
    copy,
    texts: () =>
      Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) => onPage(index, textOf) ?? ''),
    close() {
      pdfium.PDFiumExt_ExitFormFillEnvironment(form);
      pdfium.PDFiumExt_CloseFormFillInfo(formInfo);
      pdfium.FPDF_CloseDocument(document);
      free(input);
    },
  };
}

/** PDFium paints blue first; the page is opaque, whatever stands in the fourth byte. */
function asRgba(data: Buffer): Buffer {
  for (let at = 0; at < data.length; at += 4) {
    const blue = data[at] ?? 0;
    data[at] = data[at + 2] ?? 0;
    data[at + 2] = blue;
    data[at + 3] = 255;
  }
  return data;
}
