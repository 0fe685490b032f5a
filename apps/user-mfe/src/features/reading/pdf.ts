/** The PDF renderer. Imported by its views, so that screens load it on demand. */
import { trustedScriptUrl } from '@karaar/api-client';
import { pdfjs } from 'react-pdf';

const script = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url);

/**
 * One worker for all PDFs of the page, passed explicitly: a worker that the renderer creates ends with the
 * first closed PDF and breaks the others.
 */
const port = new Worker(trustedScriptUrl(script.href), { type: 'module' });

/** The public path of this build, set by webpack at run time. */
declare const __webpack_public_path__: string;
/** Additional files of the renderer (libs/web-build/src/remote.mjs). */
const files = new URL('pdfjs/', new URL(__webpack_public_path__, location.href)).href;

/** The options for every PDF. */
export const pdfOptions = {
  worker: pdfjs.PDFWorker.create({ port }),
  cMapUrl: `${files}cmaps/`,
  standardFontDataUrl: `${files}standard_fonts/`,
  wasmUrl: `${files}wasm/`,
  // The CSP of workers allows no WebAssembly; the image decoders are scripts instead.
  useWasm: false,
};

/**
 * Shows a load or draw error in the place of the PDF. The renderer's default throws the error and removes the
 * whole screen, with typed input, for example after a link was replaced.
 */
export const inPlace = { suspense: false };
