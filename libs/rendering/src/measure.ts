/** Single steps of rendering, for measurements that look at one by itself. Not for services. */
export { createPdfEngine, type PdfEngine } from './pdf-engine.ts';
export type { PageComparison } from './pdf-messages.ts';
export { compareRange, isAlike } from './prepare-upload.ts';
export { readWhole } from './read-whole.ts';
