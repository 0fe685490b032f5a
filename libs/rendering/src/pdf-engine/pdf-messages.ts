import type { RenderErrorCode } from '../errors.ts';
import type { Assembled, Metadata } from '../pdf/assemble.ts';
import type { PageImage } from '../images.ts';
import type { Difference } from '../pdf/compare/compare.ts';
import type { Box } from '../pdf/values.ts';

type ImageFile = { path: string } & Omit<PageImage, 'bytes'>;

/** A part of the final PDF whose bytes are in a file: what crosses to the PDF process. */
export type FilePart =
  | { kind: 'pdf'; name: string; path: string; pictures?: readonly ({ page: number } & ImageFile)[] }
  | ({ kind: 'image'; name: string } & ImageFile);

/** The pictures that Poppler made of a page: of the source and of the copy; undefined where it could not. */
export type PopplerPictures = {
  source: string | undefined;
  copy: string | undefined;
  /** Areas that were drawn again, and those that keep their drawing, see `Assembled`. */
  redrawn: readonly Box[];
  kept: readonly Box[];
};

export type PdfRequest =
  /** `isConverted`: made of a Word file here. */
  | { op: 'inspect'; name: string; path: string; maxPages: number; isConverted?: boolean }
  /** Writes the file as PDFium puts a damaged one together to `out`; `pages` is empty where it cannot open the file. */
  | { op: 'recover'; name: string; path: string; out: string }
  /** Of the first page; from a picture of it where PDFium does not end on it. */
  | { op: 'thumbnail'; name: string; path: string; picture: string | undefined; out: string }
  | { op: 'assemble'; parts: FilePart[]; metadata: Metadata; maxPages: number; out: string }
  /** Compares the pages from `from` on (0 is the first), as many as there are pictures. */
  | {
      op: 'compare';
      name: string;
      /** Tried in this order: the upload, and the same repaired. */
      sources: string[];
      copy: string;
      longestSide: number;
      from: number;
      pictures: PopplerPictures[];
      /** false where PDFium does not end on a page. */
      byPdfium: boolean;
    }
  /** Draws one page of the first source that PDFium can read. `out` gets a PNG. */
  | { op: 'picture'; name: string; sources: string[]; page: number; out: string };

/** How a page of the copy differs from the source, by renderer; undefined where that renderer cannot draw the source. */
export interface PageComparison {
  pdfium: Difference | undefined;
  poppler: Difference | undefined;
  /** Which renderer shows more of the source. */
  fuller: 'pdfium' | 'poppler';
  /** The copy shows nothing where the source shows something. */
  isBlank: boolean;
}

/** `pages` has one count for inspect, one per part for assemble. */
export type PdfReply =
  | {
      pages: number[];
      longestSide?: number;
      redrawn?: Assembled['redrawn'];
      kept?: Assembled['kept'];
      foreign?: Assembled['foreign'];
      leftOut?: Assembled['leftOut'];
      comparisons?: PageComparison[];
    }
  | { error: { code: RenderErrorCode; message: string; file: string | undefined } };
