import type { RenderErrorCode } from '../errors.ts';
import type { Assembled, Metadata } from '../pdf/assemble.ts';
import type { PageImage } from '../images.ts';
import type { Difference } from '../pdf/compare/compare.ts';
import type { Box } from '../pdf/values.ts';

type ImageFile = { path: string } & Omit<PageImage, 'bytes'>;

/** A part of the final PDF that the PDF process reads from a file. */
export type FilePart =
  | {
      kind: 'pdf';
      name: string;
      path: string;
      pictures?: readonly ({ page: number } & ImageFile)[];
      /** Of a longer file: its pages from `from` (0 is the first) to the one before `to`. */
      from?: number;
      to?: number;
    }
  | ({ kind: 'image'; name: string } & ImageFile);

/** Poppler's pictures of a page of the source and the copy; undefined if Poppler could not draw it. */
export type PopplerPictures = {
  source: string | undefined;
  copy: string | undefined;
  /** Areas that were redrawn, and areas that keep their drawing, see `Assembled`. */
  redrawn: readonly Box[];
  kept: readonly Box[];
};

export type PdfRequest =
  /** `isConverted`: we made the PDF from a Word file. */
  | { op: 'inspect'; name: string; path: string; maxPages: number; isConverted?: boolean }
  /** Finds the pages of elements with these ids in a PDF that we printed; each must be the target of a link. */
  | { op: 'places'; name: string; path: string; ids: readonly string[]; maxPages: number }
  /** Writes a damaged file, repaired by PDFium, to `out`; `pages` is empty if PDFium cannot open the file. */
  | { op: 'recover'; name: string; path: string; out: string }
  /** Draws the first page, or uses `picture` if PDFium does not finish. */
  | { op: 'thumbnail'; name: string; path: string; picture: string | undefined; out: string }
  | { op: 'assemble'; parts: FilePart[]; metadata: Metadata; maxPages: number; out: string }
  /** Compares the pages from `from` (0 is the first), one per picture. */
  | {
      op: 'compare';
      name: string;
      /** Tried in order: the upload, then its repaired copy. */
      sources: string[];
      copy: string;
      longestSide: number;
      from: number;
      pictures: PopplerPictures[];
      /** False if PDFium does not finish a page. */
      byPdfium: boolean;
    }
  /** Draws one page as PNG to `out`, from the first source that PDFium can read. */
  | { op: 'picture'; name: string; sources: string[]; page: number; out: string };

/**
 * The differences between a page of the copy and the source, by renderer; undefined if the renderer cannot
 * draw the source.
 */
export interface PageComparison {
  pdfium: Difference | undefined;
  poppler: Difference | undefined;
  fuller: 'pdfium' | 'poppler';
  isBlank: boolean;
}

/** `pages` has one count for inspect, one per part for assemble, and the count and the places (0 is the first page) for places. */
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
