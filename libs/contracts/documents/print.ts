/**
 * `POST /internal/account-sheet`: the documents service prints a page of account for other services, since it owns the
 * printer that shapes Indian scripts. The gateway has no route to it. Answers a PDF.
 */
import { Type, type Static } from 'typebox';
import { LANGUAGES } from '../limits.ts';

/** Rows of one sheet at most; longer accounts are taken as CSV. */
export const ACCOUNT_SHEET_ROWS = 2_000;

const Text = Type.String({ maxLength: 500 });

const page = {
  /** Of its words; English when absent. */
  language: Type.Optional(Type.Enum([...LANGUAGES])),
  /** Above the title: 'Wallet statement'. */
  part: Text,
  title: Text,
  lead: Text,
  /** For the footer: which account or receipt. */
  reference: Text,
  facts: Type.Array(Type.Object({ label: Text, value: Text }), { maxItems: 16 }),
  columns: Type.Array(Type.Object({ title: Text, numeric: Type.Boolean() }), { maxItems: 8 }),
  rows: Type.Array(Type.Array(Text, { maxItems: 8 }), { maxItems: ACCOUNT_SHEET_ROWS }),
  /** Below the table. */
  note: Text,
};

export const AccountPage = Type.Object(page);
export type AccountPage = Static<typeof AccountPage>;

export const AccountSheet = Type.Object({
  ...page,
  /** The same once more in another language, on pages of its own after these. */
  translation: Type.Optional(AccountPage),
});
export type AccountSheet = Static<typeof AccountSheet>;
