/**
 * The messages between the converter and its clients. Its responses are not trusted: it reads hostile files.
 */
import { LeftOut, PictureReason } from '@karaar/contracts/documents/http';
import { AccountSheet, HistorySheet } from '@karaar/contracts/documents/print';
import { RENDER_ERROR_CODES, type FinalPdfInput, type RawFile } from '@karaar/rendering';
import { Type, type Static } from 'typebox';
import type { Part } from './wire.ts';

/** The jobs with their paths. */
export const JOBS = {
  prepareUpload: '/jobs/prepare-upload',
  composeFinalPdf: '/jobs/compose-final-pdf',
  printAccount: '/jobs/print-account',
  printHistory: '/jobs/print-history',
} as const;

/** Its only part is the file. */
export const PrepareRequest = Type.Object({
  name: Type.String(),
  kind: Type.Union(
    (['pdf', 'image', 'doc', 'docx'] as const satisfies readonly RawFile['kind'][]).map((kind) =>
      Type.Literal(kind),
    ),
  ),
  maxMs: Type.Optional(Type.Integer({ minimum: 1 })),
});

/**
 * `FinalPdfInput` without its bytes, which are the parts: each file, then photo and signature of each party.
 */
export const ComposeRequest = Type.Object({
  document: Type.Object({}),
  parties: Type.Array(Type.Object({ name: Type.String() })),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      sha256: Type.String(),
      pages: Type.Object({ sha256: Type.String() }),
    }),
  ),
});

export const PrintRequest = AccountSheet;
export const HistoryRequest = HistorySheet;

const Count = Type.Integer({ minimum: 0 });

/** A heartbeat: the job is still running. */
const Beat = Type.Object({ beat: Type.Literal(true) });
const Failed = Type.Object({
  error: Type.Object({
    code: Type.Union(RENDER_ERROR_CODES.map((code) => Type.Literal(code))),
    message: Type.String({ maxLength: 2_000 }),
    file: Type.Optional(Type.String({ maxLength: 2_000 })),
  }),
});

/** Responses for an upload: its progress; then the pages and the thumbnail, as parts. */
export const PrepareAnswer = Type.Union([
  Beat,
  Failed,
  Type.Object({ progress: Type.Tuple([Count, Count]) }),
  Type.Object({
    done: Type.Object({
      pages: Count,
      pictures: Type.Array(Type.Object({ page: Count, why: PictureReason })),
      texts: Type.Array(Type.Union([Type.String(), Type.Null()])),
      leftOut: Type.Array(LeftOut),
      redrawn: Type.Array(
        Type.Tuple([
          Count,
          Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()])),
        ]),
      ),
    }),
  }),
]);

/** Responses for a final PDF: its progress; then the PDF as a part. */
export const ComposeAnswer = Type.Union([
  Beat,
  Failed,
  Type.Object({
    progress: Type.Object({
      step: Type.Union([Type.Literal('files'), Type.Literal('pages'), Type.Literal('assembling')]),
      done: Type.Optional(Count),
      total: Type.Optional(Count),
    }),
  }),
  Type.Object({
    done: Type.Object({
      agreement: Count,
      files: Type.Array(Count),
      raw: Count,
      signatures: Count,
      certificate: Count,
      total: Count,
    }),
  }),
]);

/** Responses for an account page or a history: the PDF as a part. */
export const PrintAnswer = Type.Union([Beat, Failed, Type.Object({ done: Type.Object({}) })]);

type FileHead = Omit<RawFile, 'pages'> & { pages: { sha256: string } };
type ComposeHead = Omit<FinalPdfInput, 'parties' | 'files'> & {
  parties: Omit<FinalPdfInput['parties'][number], 'photo' | 'signature'>[];
  files: FileHead[];
};

/** Returns the input as a message, with the pages of each file. */
export function packInput(input: FinalPdfInput): { content: ComposeHead; parts: Part[] } {
  const files = input.files.map(({ pages: { sha256 }, ...rest }) => ({ ...rest, pages: { sha256 } }));
  const parties = input.parties.map(({ photo: _photo, signature: _signature, ...rest }) => rest);
  return {
    content: { ...input, files, parties },
    parts: [
      ...input.files.map(({ pages }) => (pages.path === undefined ? pages.bytes : { path: pages.path })),
      ...input.parties.flatMap(({ photo, signature }) => [photo, signature]),
    ],
  };
}

/**
 * Reverses `packInput`.
 * @param content of a validated ComposeRequest
 * @param paths of the files, in order
 * @param images photo and signature of each party, in order
 */
export function unpackInput(
  content: Static<typeof ComposeRequest>,
  paths: readonly string[],
  images: readonly Uint8Array[],
): FinalPdfInput {
  const head = content as ComposeHead;
  const at = <T>(all: readonly T[], index: number): T => {
    const found = all[index];
    if (found === undefined) throw new TypeError('A part of the input is missing');
    return found;
  };
  return {
    ...head,
    files: head.files.map(({ pages, ...file }, index) => ({
      ...file,
      pages: { path: at(paths, index), sha256: pages.sha256 },
    })),
    parties: head.parties.map((party, index) => ({
      ...party,
      photo: at(images, 2 * index),
      signature: at(images, 2 * index + 1),
    })),
  };
}
