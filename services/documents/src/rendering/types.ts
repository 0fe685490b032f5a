import type { PhotosRecord } from '@karaar/contracts/documents/http';
import type { AccountSheet } from '@karaar/contracts/documents/print';

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
  /** One request to the PDF process (inspect, assemble). */
  pdfMs: number;
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
  /** Folder for temporary files, made when absent. Every job removes what it wrote. */
  workDir: string;
  /** false where the container is the boundary: there Chromium may not make the namespaces of its own sandbox. */
  chromiumSandbox?: boolean;
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
};

/** One person of the agreement, as drawn on the signature page. */
export interface FinalParty {
  name: string;
  /** 8-character user ID. */
  charId: string;
  /** `primary` created the document. */
  role: 'primary' | 'party';
  /** When this person approved; ISO 8601. */
  approvedAt: string;
  /** Live photo: JPEG, PNG or WebP. */
  photo: Uint8Array;
  /** Hashes of face and eye photo, and whether they were taken live or uploaded. */
  photos?: PhotosRecord;
  /** Drawn signature: PNG (its transparency is kept), JPEG or WebP. */
  signature: Uint8Array;
}

export interface AuditEntry {
  /** ISO 8601. */
  at: string;
  /** Who did it, as a reader knows them: a name, or "Karaar". */
  actor: string;
  /** What happened, in plain words: "approved the document". */
  action: string;
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
}

/** Pages of each part, in the order of the file. They sum to the PDF's page count. */
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

/** What an upload is, found before it is accepted. Exactly one of the refusals may be set. */
export interface UploadInspection {
  kind: RawFileKind;
  /** Pages, where that is known without converting: PDF and images. */
  pages: number | undefined;
  encrypted: boolean;
  broken: boolean;
  /** What keeps it from being taken; undefined when nothing does. */
  fault: 'locked' | 'broken' | 'macros' | 'large' | undefined;
  /** The same for people, naming the file. */
  reason: string | undefined;
}

/** How a raw file looks, made after it was accepted. */
export interface FilePreview {
  pages: number;
  /** JPEG of the first page, 480 pixels on its longest side at most. */
  thumbnail: Uint8Array;
  /** A Word file as PDF; undefined for what a browser shows by itself. */
  pdf: Uint8Array | undefined;
}

/** Called as composing goes on: raw files brought to pages (so many of so many), our own pages drawn, all put together. */
export type OnProgress = (step: 'files' | 'pages' | 'assembling', done?: number, total?: number) => void;

export interface Renderer {
  /**
   * Compose the final PDF: agreement, every raw file as pages, signatures, certificate.
   * Ends within `limits.jobMs` whatever the input; throws RenderError and nothing else.
   */
  composeFinalPdf(
    input: FinalPdfInput,
    options?: { signal?: AbortSignal; onProgress?: OnProgress },
  ): Promise<ComposedPdf>;
  /** Look at an upload without converting it. Throws RenderError only for faults of the engine. */
  inspectUpload(
    file: FileSource & { name: string; kind: RawFileKind },
    options?: { signal?: AbortSignal },
  ): Promise<UploadInspection>;
  /** Print a statement or a receipt. Not sealed: it says what an account held when it was printed. */
  printAccount(account: AccountSheet, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** Draw the first page, count the pages, convert a Word file. Throws RenderError. */
  preview(
    file: { name: string; kind: RawFileKind; path: string },
    options?: { signal?: AbortSignal },
  ): Promise<FilePreview>;
  /** End Chromium and the PDF process, remove temporary files. Running jobs fail with `aborted`. */
  close(): Promise<void>;
}
