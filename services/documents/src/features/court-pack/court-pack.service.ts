import { adminActs } from '@karaar/contracts/admin';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction } from '@karaar/db';
import { readLines } from '@karaar/base/schema';
import type { Context } from '../../context.ts';
import { isUuid } from '@karaar/db';
import { documentNotFound } from '../agreements/rules/agreement.errors.ts';
import { findDocument } from '../agreements/agreement-records.repository.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { placeOfDocument, proofForUser } from '../transparency-log/log.service.ts';
import { buildPack, type Pack } from './build-pack.ts';
import { noteCourtPack } from './court-pack.repository.ts';
import { fieldFault } from '../../errors.ts';

const SHORTEST_REASON = 10;
const SHORTEST_ORDER = 5;

/**
 * Builds the pack for a party, with data that the party may see anyway: the sealed PDF, the files, the
 * record, the party's own photos and signature, and hashes of the others' photos. The request and its reason
 * are recorded before the pack is sent.
 * @throws 403 for users who are not involved, 404, 409 before the document is logged, 422 without a reason
 */
export async function takeCourtPack(
  ctx: Context,
  userId: string,
  id: string,
  reasonText: string,
): Promise<Pack> {
  const reason = reasonOf(reasonText);
  const place = await proofForUser(ctx, userId, id);
  const record = await getInvolvedDocument(ctx, userId, id);
  const name = record.parties.find((party) => party.user_id === userId)?.name ?? '';
  const pack = await buildPack(ctx, record, place, { kind: 'party', userId, name });
  await noteCourtPack(ctx.db, { documentId: id, userId, reason });
  return pack;
}

/**
 * Builds the pack for an admin. Files, photos and signatures are in it only under an order of a court or an
 * authority, otherwise only their hashes. The audit log records admin, reason and order before the pack is
 * sent.
 * @throws 404, 409 before the document is logged, 422 without a reason or with too short an order
 */
export async function takeCourtPackForAdmin(
  ctx: Context,
  adminId: string,
  id: string,
  fields: { reason: string; order?: string | undefined },
): Promise<Pack> {
  const reason = reasonOf(fields.reason);
  const order = fields.order === undefined ? undefined : readLines('order', fields.order);
  if (order !== undefined && order.length < SHORTEST_ORDER)
    throw fieldFault('order', 'Please give the number and the issuer of the order.');
  const record = isUuid(id) ? await findDocument(ctx.db, id) : undefined;
  if (!record) throw documentNotFound();
  const place = await placeOfDocument(ctx, record.document);
  const contents = order === undefined ? 'record' : 'all';
  const pack = await buildPack(ctx, record, place, { kind: 'admin', contents });
  await inTransaction(ctx.db, (tx) =>
    recordAct(ctx.outbox, tx, adminActs.documents, {
      adminId,
      action: 'court-pack.taken',
      targetId: id,
      target: `${record.document.document_code}, ${order === undefined ? 'the record alone' : `files and photos by order: ${order}`}`,
      reason,
    }),
  );
  ctx.outbox.wake();
  return pack;
}

function reasonOf(text: string): string {
  const reason = readLines('reason', text);
  if (reason.length < SHORTEST_REASON)
    throw fieldFault('reason', `Please give the reason in at least ${SHORTEST_REASON} characters.`);
  return reason;
}
