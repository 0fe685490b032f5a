/** Uploads to pages, final PDFs and sheets, by a converter that is a process of its own. */
export { createConverter } from './client.ts';
