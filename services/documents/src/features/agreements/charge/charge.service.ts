import { toRupees } from '@karaar/contracts/charge';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Chargeable } from '@karaar/contracts/documents/inner';
import type { EventData } from '@karaar/contracts/kit';
import type { paymentsEvents } from '@karaar/contracts/payments/events';
import type { Tx } from '@karaar/db';
import type { Static } from 'typebox';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { isUuid } from '@karaar/db';
import { batched } from '@karaar/db/batching';
import { appendEvents } from '../agreement-events.repository.ts';
import { countPayments, findChargeables, lockCharged, reachVersion } from './charge.repository.ts';
import { filesDigest } from '../approvals/shown.ts';

/** Milliseconds between two reads under load. The later steps of payments whose documents are read together are batched too. */
const APART_MS = 16;

/**
 * Returns a function that returns the data with which payments charges a document; null for an unknown document.
 * `atLeast` raises the document to this version, so that a withdrawal from an older one fails.
 */
export function chargesOf({
  db,
}: Pick<Context, 'db'>): (id: string, atLeast: number) => Promise<Static<typeof Chargeable> | null> {
  const find = batched({ run: (ids: readonly string[]) => findChargeables(db, ids), apartMs: APART_MS });
  return async (id, atLeast) => {
    if (!isUuid(id)) return null;
    const charge = await find(id);
    if (!charge || charge.version >= atLeast) return charge ?? null;
    await reachVersion(db, id, atLeast);
    return (await find(id)) ?? null;
  };
}

export type PaymentEvent = {
  change: 'payment.completed' | 'payment.reversed';
  payment: Omit<EventData<typeof paymentsEvents.paymentReversed>, 'charge_number'>;
  /** True if all shares are paid as of `number`. */
  paid: boolean;
  number: number;
  traceparent?: string | undefined;
};

const DETAILS = {
  'payment.completed': (rupees: string) => `Paid ₹${rupees} from the wallet`,
  'payment.reversed': (rupees: string) => `₹${rupees} given back to the payer's wallet`,
} as const satisfies Record<PaymentEvent['change'], (rupees: string) => string>;

/**
 * Records payment events in the histories of their documents, in order, each with a new document version.
 * Runs in the consumer's transaction and skips unknown documents.
 */
export async function recordPayments(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  events: readonly PaymentEvent[],
): Promise<void> {
  const ids = events.map(({ payment }) => payment.document_id);
  const known = await lockCharged(tx, [...new Set(ids)]);
  const versions = new Map([...known].map(([id, { version }]) => [id, version]));
  const lines = events.flatMap((event) => {
    const document = known.get(event.payment.document_id);
    if (!document) return [];
    const version = (versions.get(document.id) ?? document.version) + 1;
    versions.set(document.id, version);
    return [{ ...event, document, version }];
  });
  if (lines.length === 0) return;
  await countPayments(
    tx,
    lines.map(({ document, version, number, paid }) => ({ documentId: document.id, version, number, paid })),
  );
  await appendEvents(
    tx,
    lines.map(({ change, payment, document }) => ({
      documentId: document.id,
      type: change,
      // The operator reverses a payment, not the payer.
      actorId: change === 'payment.completed' ? payment.user_id : null,
      detail: DETAILS[change](toRupees(payment.amount_paise).toFixed(2)),
      statusFrom: document.status,
      statusTo: document.status,
      filesSha256: filesDigest(document.files),
    })),
  );
  await ctx.outbox.addAll(
    tx,
    documentsEvents.paymentRecorded,
    lines.map(({ change, document, version, traceparent }) => ({
      aggregateId: document.id,
      aggregateVersion: version,
      data: {
        document_id: document.id,
        status: document.status,
        primary_user: document.primary_user,
        involved_users: document.involved,
        affected_users: document.everybody,
        change,
      },
      traceparent,
    })),
  );
}
