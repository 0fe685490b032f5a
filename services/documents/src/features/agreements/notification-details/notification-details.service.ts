import type { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { batched } from '@karaar/db/batching';
import type { Context } from '../../../context.ts';
import { isUuid } from '@karaar/db';
import { findNotificationDetails, type NotificationRequest } from './notification-details.repository.ts';

type DetailsRequest = RpcRequest<typeof documentsRpc.notificationDetails>;
type Answer = RpcResponse<typeof documentsRpc.notificationDetails>;

/** Returns a handler that answers null for drafts and unknown documents. Concurrent requests are batched. */
export function notificationDetailsOf({
  db,
}: Pick<Context, 'db'>): (request: DetailsRequest) => Promise<Answer> {
  const find = batched({
    run: (requests: readonly NotificationRequest[]) => findNotificationDetails(db, requests),
  });
  return async ({ document_id, actor_id, change, subject_id = null }) => {
    const request = { documentId: document_id, actorId: actor_id, change, subjectId: subject_id };
    return { document: isUuid(document_id) ? await find(request) : null };
  };
}
