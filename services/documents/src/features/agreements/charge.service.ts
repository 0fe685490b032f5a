import type { Chargeable } from '@karaar/contracts/documents/rpc';
import type { paymentsEvents } from '@karaar/contracts/payments/events';
import type { EventData } from '@karaar/contracts/kit';
import { toRupees } from '@karaar/contracts/charge';
import type { Tx } from '@karaar/platform/db-kit';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { isUuid } from '../../ids.ts';
import { findDocument } from './agreement-records.repository.ts';
import { appendEvent } from './agreement-events.repository.ts';
import { countChange, lockAgreement, rawFilesOf } from './agreements.repository.ts';
import { filesDigest } from './files-digest.ts';
import { announce } from './transition.ts';

/** What the payments service needs to charge a document; null for an unknown one. */
export async function describeCharge(ctx: Context, id: string): Promise<Static<typeof Chargeable> | null> {
  const record = isUuid(id) ? await findDocument(ctx.db, id) : undefined;
  if (!record) return null;
  const { document } = record;
  const involved = record.parties.filter((party) => party.state !== 'requested');
  return {
    document_id: document.id,
    name: document.name,
    status: document.status,
    primary_user: document.primary_user,
    involved_users: involved.map((party) => party.user_id),
    all_approved: involved.every((party) => party.approved),
    daily_rate_paise: document.daily_rate_paise,
    start_date: document.start_date,
    end_date: document.end_date,
  };
}

/** Writes a completed payment into the document's history; runs in the consumer's transaction. */
export async function recordPayment(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  payment: EventData<typeof paymentsEvents.paymentCompleted>,
): Promise<void> {
  const locked = await lockAgreement(tx, payment.document_id);
  if (!locked) return;
  const { agreement } = locked;
  const version = await countChange(tx, payment.document_id, payment.document_paid ? { paid: true } : {});
  await appendEvent(tx, {
    documentId: payment.document_id,
    type: 'payment.completed',
    actorId: payment.user_id,
    detail: `Paid ₹${toRupees(payment.amount_paise).toFixed(2)} from the wallet`,
    statusFrom: agreement.status,
    statusTo: agreement.status,
    filesSha256: filesDigest(await rawFilesOf(tx, payment.document_id)),
  });
  await announce(ctx, tx, { before: agreement, after: agreement, version, change: 'payment.completed' });
}
