import type { LeftOut, PhotoSource, PictureReason, SignMethod } from '@karaar/contracts/documents/http';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import type { Language } from '@karaar/contracts/limits';
import type { FaceBox } from '@karaar/faces/portrait';

/** Bounds of one renderer. Times in milliseconds, sizes in bytes. */
export interface RenderLimits {
  /** One composeFinalPdf from start to end. */
  jobMs: number;
  /** Starting Chromium. */
  browserLaunchMs: number;
  /** Printing one set of pages with Chromium. */
  printMs: number;
  /** Pages that Chromium prints at the same time. */
  browserPages: number;
  /** Prints after which Chromium is replaced by a fresh one. */
  browserJobs: number;
  /** One conversion by LibreOffice, its whole process tree included. */
  officeMs: number;
  /** LibreOffice conversions at the same time. */
  officeJobs: number;
  /** Address space of each LibreOffice process. */
  officeMemory: number;
  /** Uploads made pages and compared at the same time, and those that may wait for that; more are told to come back. */
  uploadJobs: number;
  uploadsWaiting: number;
  /** One request to the PDF process (inspect, assemble). */
  pdfMs: number;
  /** One run of Poppler, and drawing a few pages by PDFium: where one of the two takes longer, the other one decides. */
  popplerMs: number;
  pdfiumMs: number;
  /** Resident memory of the PDF process; it is killed above it. */
  pdfMemory: number;
  /** Requests after which the PDF process is replaced by a fresh one. */
  pdfJobs: number;
  /** Pixels of one image after decoding. */
  imagePixels: number;
  /** Pages of the final PDF. */
  pages: number;
  /** Bytes of one raw file. */
  fileBytes: number;
}

export interface RendererOptions {
  /** Path of a Chromium or Chrome binary. */
  chromiumPath: string;
  /** Path of LibreOffice's `soffice`. */
  sofficePath: string;
  /** Path of `qpdf`, which repairs PDFs; found on the PATH when not given. */
  qpdfPath?: string;
  /** Path of Poppler's `pdftoppm`, the second eye on every page; found on the PATH when not given. */
  pdftoppmPath?: string;
  /** Folder for temporary files, made when absent. Every job removes what it wrote. */
  workDir: string;
  /** false where the container is the boundary: there Chromium may not make the namespaces of its own sandbox. */
  chromiumSandbox?: boolean;
  /** Keep a LibreOffice started for the next Word file; false when not given. */
  officeSpare?: boolean;
  limits?: Partial<RenderLimits>;
}

export type RawFileKind = 'pdf' | 'image' | 'doc' | 'docx';

/** Where a file's bytes are. */
export type FileSource = { path: string; bytes?: undefined } | { bytes: Uint8Array; path?: undefined };

/** One raw document, in the order in which it is to appear. */
export type RawFile = FileSource & {
  /** The name that the user gave it. */
  name: string;
  kind: RawFileKind;
  /** Hex SHA-256 on record; composing refuses bytes that differ. */
  sha256: string;
  /** Its pages, as they were made when it was uploaded; without them they are made now. */
  pages?: FileSource & { sha256: string };
  /** Those of them, from 1, that stand as pictures; when the creator accepted that, ISO 8601. */
  pictures?: { pages: readonly number[]; acceptedAt?: string };
  /** Parts that its pages do not hold; when the creator accepted that, ISO 8601. */
  leftOut?: { parts: readonly LeftOut[]; acceptedAt?: string };
};

/** An approval as the record has it. */
export interface FinalApproval {
  /** When it was given; ISO 8601. */
  at: string;
  /** Whose act it is: the person's own, or, in records from before 23 Nov 2026, the creator's click for that person. */
  basis: 'own' | 'creator';
  /** Of the person's own act: by a passkey that signed the statement, or by session and capture. */
  by?: 'key' | 'session';
  /** Hex SHA-256 of the approval statement; absent where none was made. */
  statementSha256?: string;
}

/** A photo that was sent, and what the record knows of where it came from. */
export interface FinalPhoto {
  sha256: string;
  source: PhotoSource;
}

/** What was noticed about a person's images, by their hashes alone. */
export interface NoticedImages {
  /** One file was sent as two of this person's images. */
  oneImageTwice?: true;
  /** The same file as another person of this document sent. */
  shared?: true;
  /** A photo was sent before, for another document or by another person. */
  sentBefore?: true;
}

/** One person of the agreement, as drawn on the signature page. What is not on record is absent, and not printed. */
export interface FinalParty {
  name: string;
  /** 8-character user ID. */
  charId: string;
  /** `primary` created the document. */
  role: 'primary' | 'party';
  approval?: FinalApproval;
  /** Photo of the face: JPEG, PNG or WebP. */
  photo: Uint8Array;
  /** Where vision found the face on it; null where that is not on record. */
  faceBox: FaceBox | null;
  face: FinalPhoto;
  /** Not drawn. */
  eye: FinalPhoto;
  /** PNG (its transparency is kept), JPEG or WebP. */
  signature: Uint8Array;
  /** How the signature was made, as the person's own screen stated. */
  signMethod: SignMethod;
  noticed?: NoticedImages;
}

export interface AuditEntry {
  /** ISO 8601. */
  at: string;
  /** Who did it, as a reader knows them: a name, or "Karaar". */
  actor: string;
  /** What happened, in plain words: "approved the document". */
  action: string;
  /** Which event that is ("party.invited"), and whom it names, for words in other languages. */
  type?: string;
  subject?: string;
  /** One more line, such as a hash or a reason. */
  detail?: string;
}

/** What the certificate says about the seal; must match how the file is then sealed. */
export interface SealStatement {
  level: 'B-B' | 'B-T' | 'B-LT';
  /** Common name in the sealing certificate. */
  signer: string;
  /** Hex SHA-256 of the sealing certificate. */
  certFingerprint: string;
  /** Said in addition, such as a timestamp authority that could not be reached. */
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
  /** Days charged, counted inclusively. */
  days: number;
  /** Paise per day. */
  dailyRatePaise: number;
  /** Paise. */
  totalPaise: number;
}

export interface FinalPdfInput {
  document: FinalDocument;
  /** Primary first. */
  parties: readonly FinalParty[];
  files: readonly RawFile[];
  /** Oldest first. */
  auditTrail: readonly AuditEntry[];
  /** The transparency log into which the sealed file goes. */
  logOrigin: string;
  /** Where a stranger checks the file; drawn as text and as a QR code. */
  verifyUrl: string;
  seal: SealStatement;
  /** When the file is composed; ISO 8601. */
  composedAt: string;
  /** In which the certificate follows once more after the English one, in this order. */
  languages?: readonly Language[];
}

/** Pages of each part, in the order of the file. They sum to the PDF's page count. */
export interface PageCounts {
  agreement: number;
  /** One count per raw file, in order. */
  files: number[];
  /** Sum of `files`. */
  raw: number;
  signatures: number;
  /** In all its languages. */
  certificate: number;
  total: number;
}

export interface ComposedPdf {
  pdf: Uint8Array;
  pages: PageCounts;
}

/** An upload as the pages that will be sealed. */
export interface PreparedUpload {
  /** The pages as a PDF of their own: what people read, and what the final PDF takes over. */
  pdf: Uint8Array;
  pages: number;
  /** Pages, from 1, that are in it as pictures of what viewers show: their content could not be kept alike. */
  pictures: { page: number; why: PictureReason }[];
  /**
   * The text of each page, in order; null for a page without text. For a page that is sealed as a picture, the text
   * of the upload's page.
   */
  texts: (string | null)[];
  /** Parts of the upload that the pages do not hold, each once. */
  leftOut: LeftOut[];
  /** What was drawn again, by page from 0, as shares of the page: viewers draw it each in their own way. */
  redrawn: [page: number, areas: [number, number, number, number][]][];
  /** JPEG of the first page, 480 pixels on its longest side at most. */
  thumbnail: Uint8Array;
}

/** Called as composing goes on: raw files brought to pages (so many of so many), our own pages drawn, all put together. */
export type OnProgress = (step: 'files' | 'pages' | 'assembling', done?: number, total?: number) => void;

/** Called as pages of an upload are compared: so many of so many. */
export type OnPages = (done: number, total: number) => void;

export interface Renderer {
  /**
   * Compose the final PDF: agreement, every raw file as pages, signatures, certificate.
   * Ends within `limits.jobMs` whatever the input; throws RenderError and nothing else.
   */
  composeFinalPdf(
    input: FinalPdfInput,
    options?: { signal?: AbortSignal; onProgress?: OnProgress },
  ): Promise<ComposedPdf>;
  /**
   * Make an upload the pages that will be sealed, and compare each with how viewers show the upload. Throws RenderError:
   * what is not `retryable` is the reason why the file cannot be taken.
   * @param options maxMs in place of `limits.jobMs`, where a user waits for many pages and sees the progress
   */
  prepareUpload(
    file: FileSource & { name: string; kind: RawFileKind },
    options?: { signal?: AbortSignal; onPages?: OnPages; maxMs?: number },
  ): Promise<PreparedUpload>;
  /** Print a statement or a receipt. Not sealed: it says what an account held when it was printed. */
  printAccount(account: AccountSheet, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** End Chromium and the PDF process, remove temporary files. Running jobs fail with `aborted`. */
  close(): Promise<void>;
}
