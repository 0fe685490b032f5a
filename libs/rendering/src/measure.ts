/** Single steps of rendering, for benchmarks. Not for services. */
export { createPdfEngine } from './pdf-engine/pdf-engine.ts';
export { isAlike } from './uploads/prepare-upload.ts';
export { readWhole } from './processes/read-whole.ts';
