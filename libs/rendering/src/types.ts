import type { LawWords } from '@karaar/contracts/cms/law';
import type { LeftOut, PhotoSource, PictureReason, SignMethod } from '@karaar/contracts/documents/http';
import type { AccountSheet, HistorySheet } from '@karaar/contracts/documents/print';
import type { Language } from '@karaar/contracts/limits';
import type { FaceBox } from '@karaar/faces/portrait';

/** Limits of one renderer. Times in milliseconds, sizes in bytes. */
export interface RenderLimits {
  /** One composeFinalPdf from start to end. */
  jobMs: number;
  browserLaunchMs: number;
  printMs: number;
  browserPages: number;
  browserJobs: number;
  officeMs: number;
  officeJobs: number;
  officeMemory: number;
  /**
   * Uploads that are converted and compared concurrently, and uploads that may wait; more are asked to retry.
   */
  uploadJobs: number;
  uploadsWaiting: number;
  pdfMs: number;
  /** One run of Poppler, or PDFium drawing a few pages: if one takes longer, the other decides. */
  popplerMs: number;
  pdfiumMs: number;
  pdfMemory: number;
  pdfJobs: number;
  /** Bytes that a PDF process may keep between two files. */
  pdfIdleMemory: number;
  imagePixels: number;
  pages: number;
  fileBytes: number;
}

export interface RendererOptions {
  chromiumPath: string;
  sofficePath: string;
  /** Path of `qpdf`, which repairs PDFs; found on the PATH by default. */
  qpdfPath?: string;
  /** Path of Poppler's `pdftoppm`, the second renderer of every page; found on the PATH by default. */
  pdftoppmPath?: string;
  /** Folder for temporary files, created if absent. Every job removes its files. */
  workDir: string;
  /** False if the container isolates the process: Chromium cannot create its sandbox namespaces there. */
  chromiumSandbox?: boolean;
  /** Keep a LibreOffice started for the next Word file; the default is false. */
  officeSpare?: boolean;
  limits?: Partial<RenderLimits>;
}

export type RawFileKind = 'pdf' | 'image' | 'doc' | 'docx';

export type FileSource = { path: string; bytes?: undefined } | { bytes: Uint8Array; path?: undefined };

/** One raw document, in the order of the final PDF. */
export type RawFile = {
  /** The file name as uploaded. */
  name: string;
  kind: RawFileKind;
  /** Hex SHA-256 of the file as uploaded. */
  sha256: string;
  /** Its pages as PDF, made at the upload; composing refuses other bytes. */
  pages: FileSource & { sha256: string };
  /** The pages, from 1, that are sealed as pictures; the time of the creator's consent, ISO 8601. */
  pictures?: { pages: readonly number[]; acceptedAt?: string };
  /** Parts that its pages do not hold; the time of the creator's consent, ISO 8601. */
  leftOut?: { parts: readonly LeftOut[]; acceptedAt?: string };
};

/** An approval as recorded. */
export interface FinalApproval {
  at: string;
  /** By a passkey that signed the statement, or by session and capture. */
  by?: 'key' | 'session';
  /** Hex SHA-256 of the approval statement; absent for an approval without one. */
  statementSha256?: string;
}

/** A photo, and its source as recorded. */
export interface FinalPhoto {
  sha256: string;
  source: PhotoSource;
}

/** Findings about a person's images, by their hashes alone. */
export interface NoticedImages {
  /** The person sent one file as two images. */
  oneImageTwice?: true;
  /** Another person of this document sent the same file. */
  shared?: true;
  /** The photo was sent before, for another document or by another person. */
  sentBefore?: true;
}

/**
 * One person of the agreement, as drawn on the signature page. Facts that are not on record are absent and
 * not printed.
 */
export interface FinalParty {
  name: string;
  /** 8-character user ID. */
  charId: string;
  /** `primary` created the document. */
  role: 'primary' | 'party';
  approval?: FinalApproval;
  /** The face: JPEG, PNG or WebP. */
  photo: Uint8Array;
  /** The face found by vision on the photo; null if not on record. */
  faceBox: FaceBox | null;
  face: FinalPhoto;
  /** Not drawn. */
  eye: FinalPhoto;
  /** PNG (its transparency is kept), JPEG or WebP. */
  signature: Uint8Array;
  signMethod: SignMethod;
  noticed?: NoticedImages;
}

export interface AuditEntry {
  /** ISO 8601. */
  at: string;
  /** The actor as readers know them: a name, or "Karaar". */
  actor: string;
  action: string;
  /** The type of the event ("party.invited") and the user it names, for other languages. */
  type?: string;
  subject?: string;
  /** One more line, such as a hash or a reason. */
  detail?: string;
}

/** The certificate's statement about the seal; must match how the file is then sealed. */
export interface SealStatement {
  level: 'B-B' | 'B-T' | 'B-LT';
  signer: string;
  /** Hex SHA-256 of the sealing certificate. */
  certFingerprint: string;
  /** True if the installation's own authority issued the certificate. */
  ownAuthority?: boolean;
  note?: string;
}

export interface FinalDocument {
  name: string;
  /** 8-character document code. */
  code: string;
  location?: string | null;
  /** Calendar days, YYYY-MM-DD. */
  startDate?: string | null;
  endDate?: string | null;
  description?: string | null;
  pageDetails: readonly { pageNo: number; description: string }[];
  /** ISO 8601. */
  createdAt: string;
  days: number;
  dailyRatePaise: number;
  totalPaise: number;
}

export interface FinalPdfInput {
  document: FinalDocument;
  /** Primary first. */
  parties: readonly FinalParty[];
  files: readonly RawFile[];
  /** Oldest first. */
  auditTrail: readonly AuditEntry[];
  logOrigin: string;
  /** The page where anyone can verify the file; printed as text and as a QR code. */
  verifyUrl: string;
  seal: SealStatement;
  /** The time of composing; ISO 8601. */
  composedAt: string;
  /** The languages in which the certificate follows the English one, in order. */
  languages?: readonly Language[];
  /** The words about the law that the certificate shows in each of its languages, else in English. */
  law?: LawWords;
}

/** The number of pages of each part, in the order of the file. They sum to the PDF's page count. */
export interface PageCounts {
  agreement: number;
  /** One count per raw file, in order. */
  files: number[];
  /** Sum of `files`. */
  raw: number;
  signatures: number;
  certificate: number;
  total: number;
}

export interface ComposedPdf {
  pdf: Uint8Array;
  pages: PageCounts;
}

/** The pages of an upload that will be sealed. */
export interface PreparedUpload {
  /** The pages as a separate PDF: people read it, and the final PDF copies it. */
  pdf: Uint8Array;
  pages: number;
  /** Pages, from 1, sealed as pictures of the view, because a copy of their content looked different. */
  pictures: { page: number; why: PictureReason }[];
  /**
   * The text of each page, in order; null for a page without text. For a page that is sealed as a picture,
   * the text of the upload's page.
   */
  texts: (string | null)[];
  leftOut: LeftOut[];
  /** Redrawn areas, by page from 0, as fractions of the page: each viewer draws them differently. */
  redrawn: [page: number, areas: [number, number, number, number][]][];
  /** JPEG of the first page, at most 480 pixels on its longest side. */
  thumbnail: Uint8Array;
}

/**
 * Reports the progress of composing: raw files converted (done of total), our own pages drawn, parts
 * assembled.
 */
export type OnProgress = (step: 'files' | 'pages' | 'assembling', done?: number, total?: number) => void;

/** Reports how many pages of an upload are compared, and the total. */
export type OnPages = (done: number, total: number) => void;

export interface Renderer {
  /**
   * Composes the final PDF: agreement, every raw file as pages, signatures, certificate. Ends within
   * `limits.jobMs` for any input.
   * @throws RenderError only
   */
  composeFinalPdf(
    input: FinalPdfInput,
    options?: { signal?: AbortSignal; onProgress?: OnProgress },
  ): Promise<ComposedPdf>;
  /**
   * Makes the pages of an upload that will be sealed, and compares each with the view of the upload.
   * @param options maxMs replaces `limits.jobMs` if a user waits for many pages and sees the progress
   * @throws RenderError; if it is not `retryable`, its code is the reason for the refusal
   */
  prepareUpload(
    file: FileSource & { name: string; kind: RawFileKind },
    options?: { signal?: AbortSignal; onPages?: OnPages; maxMs?: number },
  ): Promise<PreparedUpload>;
  /**
   * Prints a statement or a receipt. Not sealed: it states the data of an account at the time of printing.
   */
  printAccount(account: AccountSheet, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** Prints a document's history. Not sealed. */
  printHistory(history: HistorySheet, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** Ends Chromium and the PDF process, and removes temporary files. Running jobs fail with `aborted`. */
  close(): Promise<void>;
}
