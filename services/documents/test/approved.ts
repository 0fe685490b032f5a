import type { WorldUser } from '@karaar/testing/service-world';
import { verificationForm, type Api } from './api.ts';

/** Creates a document of `owner` that both users have approved; returns its id. */
export async function approvedBy(
  api: Api,
  owner: WorldUser,
  guest: WorldUser,
  change?: (form: FormData) => void,
): Promise<string> {
  const { id } = await api.create(owner, change);
  await api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: guest.charId,
  });
  await api.send(
    guest,
    `/documents/${id}/respond-agreement`,
    await verificationForm({ response: 'accept' }, true),
  );
  const { body } = await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`);
  if (body['status'] !== 'approved') throw new Error(`not approved: ${JSON.stringify(body)}`);
  return id;
}
