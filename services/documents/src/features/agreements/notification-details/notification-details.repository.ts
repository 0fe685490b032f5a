import type { RpcResponse } from '@karaar/contracts/kit';
import type { documentsRpc } from '@karaar/contracts/documents/rpc';
import { prepared } from '@karaar/db';
import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';

type Details = RpcResponse<typeof documentsRpc.notificationDetails>['document'];

export type NotificationRequest = {
  documentId: string;
  actorId: string | null;
  change: string;
  subjectId: string | null;
};

/**
 * Returns, in the order of the requests, each submitted document's name, the actor's newest reason for the
 * change, and the subject's answer-by date while the answer is outstanding; null for drafts and unknown
 * documents.
 */
export async function findNotificationDetails(
  db: Db,
  requests: readonly NotificationRequest[],
): Promise<Details[]> {
  const column = <K extends keyof NotificationRequest>(name: K) => requests.map((request) => request[name]);
  const { rows } = await prepared(
    'notification_details',
    sql<NonNullable<Details> & { at: number }>`
    SELECT q.at::int AS at, d.name, d.primary_user, (
      SELECT e.reason FROM document_events e
      WHERE e.document_id = d.id AND e.actor_id = q.actor_id AND e.type = q.change
      ORDER BY e.id DESC LIMIT 1
    ) AS reason, (
      SELECT p.answer_by FROM parties p
      WHERE p.document_id = d.id AND p.user_id = q.subject_id
        AND p.state IN ('invited', 'admitted') AND NOT p.approved
    ) AS answer_by
    FROM unnest(${column('documentId')}::uuid[], ${column('actorId')}::uuid[], ${column('change')}::text[],
      ${column('subjectId')}::uuid[]) WITH ORDINALITY AS q (document_id, actor_id, change, subject_id, at)
    JOIN documents d ON d.id = q.document_id AND d.status <> 'draft'`,
  ).execute(db);
  const details: Details[] = requests.map(() => null);
  for (const { at, ...found } of rows) details[at - 1] = found;
  return details;
}
