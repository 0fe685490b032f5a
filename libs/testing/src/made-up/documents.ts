/** A stub of the documents service for payments: its documents, their charges, and printed sheets. */
import { randomUUID } from 'node:crypto';
import { documentsInternalRpc, type Chargeable } from '@karaar/contracts/documents/inner';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import type { InternalRpcRequest } from '@karaar/contracts/kit';
import type { Static } from 'typebox';
import { startInternalPort } from '../internal-port.ts';
import { printerAnswers } from '../servers/printer.ts';
import { startStepUps, type StepUps } from '../people/step-up.ts';

export type ChargedDocument = Static<typeof Chargeable>;

export type Documents = {
  url: string;
  known: Map<string, ChargedDocument>;
  /**
   * Adds a document of `parties`, the first of them its primary user; approved at ₹1 a day for a week.
   * @returns its id
   */
  add: (parties: readonly { userId: string }[], change?: Partial<ChargedDocument>) => string;
  sheets: AccountSheet[];
  /** The users who confirm payments with a passkey. */
  stepUps: StepUps;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the stub. @param secret the credential of payments */
export async function startDocuments(secret: string): Promise<Documents> {
  const known: Documents['known'] = new Map();
  const sheets: AccountSheet[] = [];
  const stepUps = startStepUps();
  const port = await startInternalPort(secret, {
    ...printerAnswers(sheets),
    [documentsInternalRpc.chargeable.path]: (body) => {
      const { document_id, at_least = 0 } = body as InternalRpcRequest<
        typeof documentsInternalRpc.chargeable
      >;
      const document = known.get(document_id.toLowerCase());
      if (document) document.version = Math.max(document.version, at_least);
      return { document: document ?? null };
    },
    [documentsInternalRpc.stepUp.path]: (body) =>
      stepUps.answer(body as InternalRpcRequest<typeof documentsInternalRpc.stepUp>),
  });
  return {
    url: port.url,
    known,
    sheets,
    stepUps,
    add: (parties, change = {}) => {
      const document_id = randomUUID();
      known.set(document_id, {
        document_id,
        name: 'Rent agreement',
        status: 'approved',
        primary_user: parties[0]?.userId ?? '',
        involved_users: parties.map((party) => party.userId),
        all_approved: true,
        daily_rate_paise: 100,
        start_date: '2026-03-01',
        end_date: '2026-03-07',
        version: 1,
        ...change,
      });
      return document_id;
    },
    start: port.open,
    stop: port.close,
  };
}
