import type { RenderErrorCode } from './errors.ts';
import type { Metadata } from './pdf/assemble.ts';
import type { PageImage } from './images.ts';

/** A part of the final PDF whose bytes are in a file: what crosses to the PDF process. */
export type FilePart =
  | { kind: 'pdf'; name: string; path: string }
  | ({ kind: 'image'; name: string; path: string } & Omit<PageImage, 'bytes'>);

export type PdfRequest =
  | { op: 'inspect'; name: string; path: string; maxPages: number }
  | { op: 'thumbnail'; kind: 'pdf' | 'image'; name: string; path: string; out: string; maxPixels: number }
  | { op: 'assemble'; parts: FilePart[]; metadata: Metadata; maxPages: number; out: string };

/** `pages` has one count for inspect and thumbnail, one per part for assemble. */
export type PdfReply =
  { pages: number[] } | { error: { code: RenderErrorCode; message: string; file: string | undefined } };
