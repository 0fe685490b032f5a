/**
 * `POST /internal/account-sheet`: the documents service prints an account statement for other services,
 * because it runs the printer that shapes Indian scripts. The gateway has no route to it. Returns a PDF.
 */
import { Type, type Static } from 'typebox';
import { LANGUAGES } from '../limits.ts';
import { PhotosRecord } from './captures.ts';

/** Maximum rows of one sheet; longer accounts are exported as CSV. */
export const ACCOUNT_SHEET_ROWS = 2_000;

const Text = Type.String({ maxLength: 500 });

const page = {
  /** The language of its text; English if absent. */
  language: Type.Optional(Type.Enum([...LANGUAGES])),
  /** Above the title: 'Wallet statement'. */
  part: Text,
  title: Text,
  lead: Text,
  /** For the footer: the account or receipt. */
  reference: Text,
  facts: Type.Array(Type.Object({ label: Text, value: Text }), { maxItems: 16 }),
  columns: Type.Array(Type.Object({ title: Text, numeric: Type.Boolean() }), { maxItems: 8 }),
  rows: Type.Array(Type.Array(Text, { maxItems: 8 }), { maxItems: ACCOUNT_SHEET_ROWS }),
  note: Text,
};

export const AccountPage = Type.Object(page);
export type AccountPage = Static<typeof AccountPage>;

export const AccountSheet = Type.Object({
  ...page,
  /** The same in another language, on separate pages after these. */
  translation: Type.Optional(AccountPage),
});
export type AccountSheet = Static<typeof AccountSheet>;

/** A document's history to print, for the converter. */
export const HistorySheet = Type.Object({
  language: Type.Enum([...LANGUAGES]),
  name: Type.String(),
  code: Type.String(),
  /** ISO 8601, as all times here. */
  madeAt: Type.String(),
  /** Oldest first. */
  events: Type.Array(
    Type.Object({
      at: Type.String(),
      actor: Type.String(),
      action: Type.String(),
      type: Type.Optional(Type.String()),
      subject: Type.Optional(Type.String()),
      /** The reason of a rejection or a cancellation. */
      detail: Type.Optional(Type.String()),
      photos: Type.Optional(Type.Omit(PhotosRecord, ['eye_agreement'])),
      sealedSha256: Type.Optional(Type.String()),
    }),
  ),
  /** The approvals in force. */
  approvals: Type.Array(
    Type.Object({ name: Type.String(), at: Type.String(), statementSha256: Type.String() }),
  ),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.Enum(['pdf', 'image', 'doc', 'docx']),
      sha256: Type.String(),
    }),
  ),
});
export type HistorySheet = Static<typeof HistorySheet>;
