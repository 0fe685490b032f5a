/**
 * `POST /internal/account-sheet`: the documents service prints a page of account for other services, since it owns the
 * printer that shapes Indian scripts. The gateway has no route to it. Answers a PDF.
 */
import { Type, type Static } from 'typebox';

/** Rows of one sheet at most; longer accounts are taken as CSV. */
export const ACCOUNT_SHEET_ROWS = 2_000;

const Text = Type.String({ maxLength: 500 });

export const AccountSheet = Type.Object({
  /** Above the title and in the footer: 'Wallet statement', '9H4T R2WK'. */
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
});
export type AccountSheet = Static<typeof AccountSheet>;
