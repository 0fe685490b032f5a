/** A stand-in for the documents service's printer: holds callers to the contract and keeps what they sent. */
import { randomBytes } from 'node:crypto';
import { AccountSheet } from '@karaar/contracts/documents/print';
import { internalRoutes } from '@karaar/contracts/internal';
import { Value } from 'typebox/value';
import { startInternalPort, type InternalAnswers } from '../internal-port.ts';

export type TestPrinter = {
  url: string;
  /** The only credential that it takes. */
  secret: string;
  /** Every sheet that was printed. */
  sheets: AccountSheet[];
  stop: () => Promise<void>;
};

const notASheet = { status: 422, code: 'validation', detail: 'is not an account sheet' };

/** Prints a PDF header, and keeps the sheet; refuses a body that is not a sheet with 422. */
export const printerAnswers = (sheets: AccountSheet[]): InternalAnswers => ({
  [internalRoutes.printAccountSheet.path]: (body) => {
    if (!Value.Check(AccountSheet, body)) throw Object.assign(new Error(notASheet.detail), notASheet);
    sheets.push(body);
    return Buffer.from('%PDF-1.7');
  },
});

/** Answers 401 to another credential, 422 for a body that is not a sheet, else a PDF header. */
export async function startPrinter(): Promise<TestPrinter> {
  const sheets: AccountSheet[] = [];
  const secret = randomBytes(32).toString('base64url');
  const port = await startInternalPort(secret, printerAnswers(sheets));
  return { url: port.url, secret, sheets, stop: port.close };
}
