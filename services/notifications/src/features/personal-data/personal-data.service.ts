import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EXPORT_PAGE, type exportRpc } from '@karaar/contracts/personal-data';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { getSettings } from '../preferences/preferences.service.ts';
import { eraseRows, exportRows } from './personal-data.repository.ts';

/** Returns a page of the export: first the settings, then the notifications, oldest first. */
export async function exportPage(
  ctx: Context,
  { user_id, cursor }: RpcRequest<typeof exportRpc.notifications>,
): Promise<RpcResponse<typeof exportRpc.notifications>> {
  const rows = await exportRows(ctx.db, user_id, cursor, EXPORT_PAGE);
  const settings = cursor === null ? [{ settings: await getSettings(ctx, user_id) }] : [];
  return {
    items: [
      ...settings,
      ...rows.map((row) => ({
        at: row.created_at.toISOString(),
        kind: row.kind,
        document: row.document_name,
        by: row.actor_name,
        reason: row.reason,
        rupees: row.amount_paise === null ? null : Number(row.amount_paise) / 100,
        answer_by: row.answer_by,
        read_at: row.read_at?.toISOString() ?? null,
        email: row.email_state,
        sms: row.sms_state,
        whatsapp: row.whatsapp_state,
      })),
    ],
    next_cursor: rows.length < EXPORT_PAGE ? null : (rows.at(-1)?.id ?? null),
  };
}

/** Erases the data of a deleted user, in the transaction of the event. */
export const erasePerson = (tx: Tx<Database>, userId: string): Promise<void> => eraseRows(tx, userId);
