/** PDFium, Chromium's PDF renderer, as WebAssembly. Runs in the PDF process, because uploads are hostile. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** Pixels in RGBA order, four bytes each. */
export interface Raster {
  width: number;
  height: number;
  data: Buffer;
}

export interface PdfiumDocument {
  pageCount: number;
  /**
   * Draws a page with its fields and comments, as a viewer does; undefined if PDFium cannot read the page.
   */
  render(page: number, scaleOf: (longestSide: number) => number): Raster | undefined;
  /**
   * Returns the file with an appearance for each field and comment that lacks one, and new ones if the form
   * asks for them.
   */
  withAppearances(): Buffer;
  /** Returns the file as PDFium read it, with damage repaired. */
  copy(): Buffer;
  /** Returns the text of each page, as far as its letters are known. */
  texts(): string[];
  close(): void;
}

/** Draws comments (FPDF_ANNOT). */
const ANNOTATIONS = 1;
const WHITE = 0xffffffff;

let library: Promise<WrappedPdfiumModule> | undefined;

async function load(): Promise<WrappedPdfiumModule> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  const quiet = (): void => undefined; // not logged, because its messages quote the file
  const pdfium = await init({ wasmBinary, print: quiet, printErr: quiet });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/**
 * Opens a PDF without a password, passes it to `work` and closes it. Returns undefined if PDFium cannot open
 * it or crashes; its memory is then unreliable and is discarded.
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
    if (error instanceof Error && error.name === 'RuntimeError') return undefined; // a WebAssembly error
    throw error;
  }
}

function open(pdfium: WrappedPdfiumModule, bytes: Uint8Array): PdfiumDocument | undefined {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const input = malloc(bytes.length);
  memoryOf(pdfium).set(bytes, input);
  const document = pdfium.FPDF_LoadMemDocument(input, bytes.length, '');
  if (document !== 0) return new OpenDocument(pdfium, document, input);
  free(input);
  return undefined;
}

/** Call this for each access: the array changes when the memory grows. */
const memoryOf = ({ pdfium }: WrappedPdfiumModule): Uint8Array =>
  // Its type is in a package of browser types.
  (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;

class OpenDocument implements PdfiumDocument {
  readonly pageCount: number;
  readonly #pdfium: WrappedPdfiumModule;
  /** Addresses in PDFium's memory: the document, the bytes, the form and its description. */
  readonly #document: number;
  readonly #input: number;
  readonly #formInfo: number;
  readonly #form: number;

  constructor(pdfium: WrappedPdfiumModule, document: number, input: number) {
    this.#pdfium = pdfium;
    this.#document = document;
    this.#input = input;
    this.#formInfo = pdfium.PDFiumExt_OpenFormFillInfo();
    this.#form = pdfium.PDFiumExt_InitFormFillEnvironment(document, this.#formInfo);
    this.pageCount = pdfium.FPDF_GetPageCount(document);
  }

  render(index: number, scaleOf: (longSide: number) => number): Raster | undefined {
    return this.#onPage(index, (page) => {
      const [w, h] = [this.#pdfium.FPDF_GetPageWidthF(page), this.#pdfium.FPDF_GetPageHeightF(page)];
      if (!(w > 0) || !(h > 0)) return undefined;
      const scale = scaleOf(Math.max(w, h));
      const [width, height] = [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))];
      return { width, height, data: this.#paint(page, width, height) };
    });
  }

  withAppearances(): Buffer {
    // PDFium creates the appearances of a page when it draws it, and keeps them in the document.
    for (let index = 0; index < this.pageCount; index += 1)
      this.#onPage(index, (page) => this.#paint(page, 8, 8));
    return this.copy();
  }

  copy(): Buffer {
    const pdfium = this.#pdfium;
    const { malloc, free } = pdfium.pdfium.wasmExports;
    const writer = pdfium.PDFiumExt_OpenFileWriter();
    try {
      pdfium.PDFiumExt_SaveAsCopy(this.#document, writer);
      const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
      const output = malloc(size);
      pdfium.PDFiumExt_GetFileWriterData(writer, output, size);
      const bytes = Buffer.from(memoryOf(pdfium).subarray(output, output + size));
      free(output);
      return bytes;
    } finally {
      pdfium.PDFiumExt_CloseFileWriter(writer);
    }
  }

  texts(): string[] {
    return Array.from(
      { length: this.pageCount },
      (_, index) => this.#onPage(index, (page) => this.#textOf(page)) ?? '',
    );
  }

  close(): void {
    this.#pdfium.PDFiumExt_ExitFormFillEnvironment(this.#form);
    this.#pdfium.PDFiumExt_CloseFormFillInfo(this.#formInfo);
    this.#pdfium.FPDF_CloseDocument(this.#document);
    this.#pdfium.pdfium.wasmExports.free(this.#input);
  }

  #onPage<T>(index: number, work: (page: number) => T): T | undefined {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index);
    if (page === 0) return undefined;
    this.#pdfium.FORM_OnAfterLoadPage(page, this.#form);
    try {
      return work(page);
    } finally {
      this.#pdfium.FORM_OnBeforeClosePage(page, this.#form);
      this.#pdfium.FPDF_ClosePage(page);
    }
  }

  #paint(page: number, width: number, height: number): Buffer {
    const pdfium = this.#pdfium;
    // Without an alpha channel the text of fields would get coloured edges, as on an LCD.
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 1);
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS);
      pdfium.FPDF_FFLDraw(this.#form, bitmap, page, 0, 0, width, height, 0, ANNOTATIONS);
      const from = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const size = pdfium.FPDFBitmap_GetStride(bitmap) * height;
      return asRgba(Buffer.from(memoryOf(pdfium).subarray(from, from + size)));
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  #textOf(page: number): string {
    const pdfium = this.#pdfium;
    const { malloc, free } = pdfium.pdfium.wasmExports;
    const text = pdfium.FPDFText_LoadPage(page);
    if (text === 0) return '';
    const count = pdfium.FPDFText_CountChars(text);
    const output = malloc(2 * (count + 1)); // UTF-16 with a zero at its end
    try {
      const written = count > 0 ? pdfium.FPDFText_GetText(text, 0, count, output) : 0;
      const end = output + 2 * Math.max(0, written - 1);
      return Buffer.from(memoryOf(pdfium).subarray(output, end)).toString('utf16le');
    } finally {
      free(output);
      pdfium.FPDFText_ClosePage(text);
    }
  }
}

/** PDFium paints BGR; the page is opaque, whatever the fourth byte holds. */
function asRgba(data: Buffer): Buffer {
  for (let at = 0; at < data.length; at += 4) {
    const blue = data[at] ?? 0;
    data[at] = data[at + 2] ?? 0;
    data[at + 2] = blue;
    data[at + 3] = 255;
  }
  return data;
}
