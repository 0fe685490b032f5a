/** A stub of the documents service's printer: checks requests against the contract and stores them. */
import { randomBytes } from 'node:crypto';
import { AccountSheet } from '@karaar/contracts/documents/print';
import { internalRoutes } from '@karaar/contracts/internal';
import { Value } from 'typebox/value';
import { startInternalPort, type InternalAnswers } from '../internal-port.ts';

export type TestPrinter = {
  url: string;
  /** The only valid credential. */
  secret: string;
  /** Every printed sheet. */
  sheets: AccountSheet[];
  stop: () => Promise<void>;
};

const notASheet = { status: 422, code: 'validation', detail: 'is not an account sheet' };

/** Returns a PDF header, and stores the sheet; rejects an invalid sheet with 422. */
export const printerAnswers = (sheets: AccountSheet[]): InternalAnswers => ({
  [internalRoutes.printAccountSheet.path]: (body) => {
    if (!Value.Check(AccountSheet, body)) throw Object.assign(new Error(notASheet.detail), notASheet);
    sheets.push(body);
    return Buffer.from('%PDF-1.7');
  },
});

/** Starts the stub. It answers 401 to another credential, 422 to an invalid sheet, else a PDF header. */
export async function startPrinter(): Promise<TestPrinter> {
  const sheets: AccountSheet[] = [];
  const secret = randomBytes(32).toString('base64url');
  const port = await startInternalPort(secret, printerAnswers(sheets));
  return { url: port.url, secret, sheets, stop: port.close };
}
