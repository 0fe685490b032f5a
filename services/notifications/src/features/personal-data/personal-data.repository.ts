import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import type { ListedRow } from '../inbox/inbox.repository.ts';

type ExportedRow = ListedRow & {
  email_state: string | null;
  sms_state: string | null;
  whatsapp_state: string | null;
};

/** Returns a page of a user's notifications by id, with the state of their messages. */
export async function exportRows(
  db: Db,
  userId: string,
  after: string | null,
  limit: number,
): Promise<ExportedRow[]> {
  const { rows } = await sql<ExportedRow>`
    SELECT n.*, p.name AS actor_name, d.state AS email_state, s.state AS sms_state,
      w.state AS whatsapp_state
    FROM notifications n
    LEFT JOIN directory p ON p.user_id = n.actor_id
    LEFT JOIN deliveries d ON d.notification_id = n.id AND d.channel = 'email'
    LEFT JOIN deliveries s ON s.notification_id = n.id AND s.channel = 'sms'
    LEFT JOIN deliveries w ON w.notification_id = n.id AND w.channel = 'whatsapp'
    WHERE n.user_id = ${userId} AND (${after}::uuid IS NULL OR n.id > ${after}::uuid)
    ORDER BY n.id LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Deletes a user's notifications and settings, and the reasons that the user gave in other users'
 * notifications.
 */
export async function eraseRows(tx: Tx<Database>, userId: string): Promise<void> {
  for (const table of ['notifications', 'list_versions', 'preferences', 'settings'])
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${userId}`.execute(tx);
  await sql`UPDATE notifications SET reason = NULL WHERE actor_id = ${userId} AND reason IS NOT NULL`.execute(
    tx,
  );
}
