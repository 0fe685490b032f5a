/**
 * `POST /internal/account-sheet`: the documents service prints an account statement for other services,
 * because it runs the printer that shapes Indian scripts. The gateway has no route to it. Returns a PDF.
 */
import { Type, type Static } from 'typebox';
import { LANGUAGES } from '../limits.ts';

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
