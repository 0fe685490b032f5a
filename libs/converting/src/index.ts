/** Converts uploads, final PDFs and account pages in a separate process, the converter. */
export { createConverter } from './client.ts';
