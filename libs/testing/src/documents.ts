/** The documents service as payments asks it: which documents there are and what is charged for them. */
import { randomUUID } from 'node:crypto';
import { askedBy } from '@karaar/contracts/broker/names';
import { documentsRpc, type Chargeable } from '@karaar/contracts/documents/rpc';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Static } from 'typebox';
import { connectTo } from './nats.ts';

export type ChargedDocument = Static<typeof Chargeable>;

export type Documents = {
  known: Map<string, ChargedDocument>;
  /** A document of `parties`, the first of them its primary; approved at ₹1 a day for a week. @returns its id */
  add: (parties: readonly { userId: string }[], change?: Partial<ChargedDocument>) => string;
  start: () => Promise<void>;
  /** Nobody answers any more. */
  stop: () => Promise<void>;
};

/** @param url the broker */
export async function startDocuments(url: string): Promise<Documents> {
  let connection: NatsConnection | undefined;
  const documents: Documents = {
    known: new Map(),
    add: (parties, change = {}) => {
      const document_id = randomUUID();
      documents.known.set(document_id, {
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
    start: async () => {
      connection = await connectTo(url);
      connection.subscribe(askedBy(documentsRpc.chargeable.subject, '*'), {
        callback: (_error, message) => {
          const { document_id, at_least = 0 } = message.json<{ document_id: string; at_least?: number }>();
          const document = documents.known.get(document_id.toLowerCase());
          if (document) document.version = Math.max(document.version, at_least);
          const data = { document: document ?? null };
          message.respond(JSON.stringify({ ok: true, data }));
        },
      });
      await connection.flush();
    },
    stop: async () => {
      await connection?.close();
    },
  };
  await documents.start();
  return documents;
}
