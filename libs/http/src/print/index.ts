import type { AccountSheet } from '@karaar/contracts/documents/print';
import { internalRoutes } from '@karaar/contracts/internal';
import { request } from 'undici';
import { credential, type ServiceSecrets } from '../service-credentials/index.ts';
import type { AppError } from '@karaar/base/errors';
import { unavailable } from '@karaar/base/errors';
import { traceHeaders } from '@karaar/observability/telemetry';

const DEADLINE_MS = 15_000;

export type Printer = (sheet: AccountSheet) => Promise<Buffer>;

/** 503: the printer is down, too slow or overloaded. */
export const printingUnavailable = (cause: unknown): AppError =>
  unavailable(
    'printing_unavailable',
    'PDFs cannot be printed right now. Please try again in a moment.',
    cause,
  );

/**
 * Returns a printer that resolves to a PDF. It throws 503 if documents is down, too slow or overloaded, or
 * rejects the credential.
 * @param documentsUrl base URL of the internal port of the documents service
 * @param secrets the caller's credentials at documents
 */
export function createPrinter(documentsUrl: string, secrets: ServiceSecrets): Printer {
  const { method, path } = internalRoutes.printAccountSheet;
  return async (sheet) => {
    try {
      const answer = await request(`${documentsUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...credential(secrets), ...traceHeaders() },
        body: JSON.stringify(sheet),
        headersTimeout: DEADLINE_MS,
        bodyTimeout: DEADLINE_MS,
        // No kept connection, which a process of documents that stops may be closing.
        reset: true,
      });
      const body = Buffer.from(await answer.body.arrayBuffer());
      if (answer.statusCode === 200) return body;
      throw new Error(`the printer answered ${answer.statusCode}: ${body.toString('utf8').slice(0, 200)}`);
    } catch (error) {
      throw printingUnavailable(error);
    }
  };
}
