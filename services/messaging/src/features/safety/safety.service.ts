import { adminActs } from '@karaar/contracts/admin';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction, isUuid, type Tx } from '@karaar/db';
import { invalid, notFound } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { requirePair } from '../threads/threads.service.ts';
import {
  closeReport,
  findReport,
  listReports,
  putBlock,
  putOwnReport,
  putReport,
  removeBlock,
  type ReportRow,
} from './safety.repository.ts';

const PAGE = 50;

async function requireOther(ctx: Context, userId: string, otherId: string, loc: string): Promise<void> {
  if (otherId === userId) throw invalid([{ loc, msg: 'This is yourself.' }]);
  await requirePair(ctx, userId, otherId);
}

/**
 * Blocks a user: their messages are refused, and neither sees the other's presence, typing and reading.
 * Throws 404 for an unknown user, 422 for the caller.
 */
export async function block(ctx: Context, userId: string, otherId: string): Promise<void> {
  await requireOther(ctx, userId, otherId, 'userId');
  await putBlock(ctx.db, userId, otherId);
  ctx.live.part(userId, otherId);
}

export const unblock = (ctx: Context, userId: string, otherId: string): Promise<void> =>
  removeBlock(ctx.db, userId, otherId);

export async function report(
  ctx: Context,
  reporterId: string,
  about: { user_id: string; reason: string; details?: string | undefined },
): Promise<void> {
  await requireOther(ctx, reporterId, about.user_id, 'user_id');
  const details = about.details?.trim() ?? '';
  await putReport(ctx.db, { reporterId, reportedId: about.user_id, reason: about.reason, details });
}

/** Reports a user who has reached the limit of invitations, with the number of invitations. */
export const reportFlood = (
  tx: Tx<Database>,
  flood: { user_id: string; invitations: number },
): Promise<void> =>
  putOwnReport(tx, {
    reportedId: flood.user_id,
    reason: 'invitations',
    details: String(flood.invitations),
  });

/** Returns reports, which never contain messages. */
export const reportsForAdmin = (
  ctx: Context,
  page: { status?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<ReportRow[]> => listReports(ctx.db, { ...page, limit: page.limit ?? PAGE });

/**
 * Closes a report and adds that to the audit log; closing it again changes nothing. Throws 404 for an unknown
 * report.
 */
export async function resolveReport(
  ctx: Context,
  adminId: string,
  id: string,
  note: string,
): Promise<ReportRow> {
  const unknown = () => notFound('report_not_found', 'There is no such report.');
  if (!isUuid(id)) throw unknown();
  const reason = note.trim();
  return inTransaction(ctx.db, async (tx) => {
    const closed = await closeReport(tx, { id, adminId, note: reason });
    const row = await findReport(tx, id);
    if (!row) throw unknown();
    const act = { adminId, action: 'report.resolved', targetId: id, target: row.reported_char_id, reason };
    if (closed) await recordAct(ctx.outbox, tx, adminActs.messaging, act);
    return row;
  });
}
