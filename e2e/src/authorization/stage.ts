/** The objects that the matrix tries: those of two users with an agreement; a third user is a stranger to both. */
import { until } from '@karaar/testing/until';
import { listIn } from '@karaar/testing/list-in';
import { textPdf } from '@karaar/testing/made-up/files';
import { inDatabase } from '../database.ts';
import { invite } from '../journey.ts';
import { freshPhone, newPerson, part, verification } from '../person.ts';
import type { Inside } from './identities.ts';

export type Stage = Awaited<ReturnType<typeof setStage>>;

export async function setStage({ url, postgresUrl }: Inside) {
  const [pdf, owner, guest, stranger, images] = await Promise.all([
    textPdf('Rent'),
    newPerson(url, 'Owner Rao'),
    newPerson(url, 'Guest Shah'),
    newPerson(url, 'Stranger Nair'),
    verification(7),
  ]);
  const create = async (extra: Record<string, string>): Promise<string> => {
    const raw_documents = part(pdf, 'application/pdf', 'rent.pdf');
    const { body } = await owner.send('/documents/create', {
      name: 'Rent',
      raw_documents,
      ...images,
      ...extra,
    });
    return String(body['document_id']);
  };
  const documentId = await create({});
  const draftId = await create({ save_as_draft: 'true' });
  await invite(owner, guest, documentId);
  const invited = await owner.call('POST', `/documents/${documentId}/invitations`, {
    contact: freshPhone().slice(3),
    send: false,
  });
  const capture = { step: 'eye', document_id: documentId };
  const opened = await owner.call('POST', '/documents/verification/captures', capture);
  const file = part(pdf, 'application/pdf', 'early.pdf');
  const uploaded = await owner.send('/documents/uploads', { file });
  const message = `between the two ${guest.userId}`;
  await owner.send('/messaging/send', { receiver_id: guest.userId, content: message });
  const { body: ordered } = await owner.call('POST', '/wallet/create-razorpay-order', { amount: 5 });
  const [session] = listIn<{ _id: string }>((await owner.call('GET', '/auth/sessions')).body);

  const { body: document } = await owner.call('GET', `/documents/${documentId}`);

  const notifications = async () =>
    (await guest.call('GET', '/notifications')).body['notifications'] as { _id: string }[];
  await until('the notification of the invitation', async () => (await notifications()).length > 0);
  const [notification] = await notifications();

  /** Returns everything that the owner sees, and the guest's notifications, for a comparison after the attempts. */
  const lookAround = async (): Promise<string> => {
    const seen = [];
    for (const path of [
      `/documents/${documentId}/events`,
      `/documents/${draftId}`,
      '/users/profile',
      '/wallet/balance',
      '/wallet/transactions',
      '/payments/my-payments',
      '/documents/signing-keys',
      `/messaging/conversations/${guest.userId}`,
    ])
      seen.push((await owner.call('GET', path)).body);
    seen.push((await guest.call('GET', '/notifications')).body);
    // Links, and the time of an empty wallet, differ between answers.
    return JSON.stringify(seen)
      .replaceAll(/"[^"]*\/files\/[^"]*"/g, '"a link"')
      .replace(/("balance":0,"updated_at":)"[^"]*"/, '$1"now"');
  };
  return {
    owner,
    guest,
    stranger,
    documentId,
    draftId,
    captureNonce: String(opened.body['nonce']),
    fileId: String((document['raw_files'] as { file_id: string }[])[0]?.file_id),
    uploadId: String(uploaded.body['upload_id']),
    invitationId: String((invited.body['invitation'] as { _id: string })._id),
    invitationToken: String(invited.body['link']).slice(-32),
    notificationId: String(notification?._id),
    paymentId: await pendingPayment(postgresUrl, documentId, owner.userId),
    orderId: String((ordered['order'] as { id: string }).id),
    sessionId: String(session?._id),
    ...(await signingKey(postgresUrl, owner.userId)),
    images,
    message,
    lookAround,
  };
}

/** Inserts a payment as `payments/create` does once all parties have approved. */
async function pendingPayment(postgresUrl: string, documentId: string, userId: string): Promise<string> {
  const [row] = await inDatabase<{ id: string }>(
    postgresUrl,
    'payments',
    `INSERT INTO payments (id, document_id, document_name, user_id, amount_paise, status)
     VALUES (gen_random_uuid(), $1, 'Rent', $2, 500, 'pending') RETURNING id`,
    [documentId, userId],
  );
  return String(row?.id);
}

/** Inserts a passkey for signing, and an enrolment that has its photo but not yet its passkey. */
async function signingKey(postgresUrl: string, userId: string) {
  const insert = async (statement: string, values: unknown[] = []) =>
    String((await inDatabase(postgresUrl, 'documents', statement, [userId, ...values]))[0]?.['id']);
  return {
    signingKeyId: await insert(
      `INSERT INTO signing_keys
         (id, user_id, name, credential_id, public_key, counter, transports, synced, photo_sha256)
       VALUES (gen_random_uuid(), $1, 'Phone', $2, $3, 0, '{}', false, repeat('a', 64)) RETURNING id`,
      [`phone of ${userId}`, Buffer.from([1])],
    ),
    signingCeremonyId: await insert(
      `INSERT INTO signing_ceremonies (id, user_id, challenge, photo_sha256, expires_at)
       VALUES (gen_random_uuid(), $1, 'c', repeat('a', 64), now() + interval '5 minutes') RETURNING id`,
    ),
  };
}
