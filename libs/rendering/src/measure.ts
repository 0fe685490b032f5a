/** Single steps of rendering, for measurements that look at one by itself. Not for services. */
export { createPdfEngine, type PdfEngine } from './pdf-engine/pdf-engine.ts';
export type { PageComparison } from './pdf-engine/pdf-messages.ts';
export { compareRange, isAlike } from './uploads/prepare-upload.ts';
export { readWhole } from './processes/read-whole.ts';
