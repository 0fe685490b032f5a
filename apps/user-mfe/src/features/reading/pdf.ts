/** The renderer of PDFs; comes with what shows them, so screens load it on demand. */
import { trustedScriptUrl } from '@karaar/api-client';
import { pdfjs } from 'react-pdf';

const script = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url);

/**
 * One worker for all PDFs of the page. It is given to each by name: a worker that the renderer finds by itself ends
 * with the first PDF that is taken off the page, and takes the others along.
 */
const port = new Worker(trustedScriptUrl(script.href), { type: 'module' });

/** Where this build is served from, as webpack knows it when it runs. */
declare const __webpack_public_path__: string;
/** What pages may need beside the PDF itself (libs/web-build/src/remote.mjs). */
const files = new URL('pdfjs/', new URL(__webpack_public_path__, location.href)).href;

/** What every PDF is opened with. */
export const pdfOptions = {
  worker: pdfjs.PDFWorker.create({ port }),
  cMapUrl: `${files}cmaps/`,
  standardFontDataUrl: `${files}standard_fonts/`,
  wasmUrl: `${files}wasm/`,
  // The policy of workers compiles no WebAssembly; the decoders of images come as scripts instead.
  useWasm: false,
};

/**
 * A PDF or page that cannot be loaded or drawn says so at its place. The renderer's default throws the error instead, and
 * the whole screen goes: a form with what was typed, for a link that was replaced while its page was drawn.
 */
export const inPlace = { suspense: false };
