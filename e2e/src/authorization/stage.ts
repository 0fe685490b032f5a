/**
 * Whose objects the matrix tries: two people with an agreement, money, messages; and a user who is a stranger to
 * both.
 */
import { until } from '@karaar/testing/until';
import { listIn } from '@karaar/testing/list-in';
import { inDatabase } from '../database.ts';
import { newPerson, part, verification, type Part, type Person } from '../person.ts';
import { freshPhone } from '../signed-in.ts';
import type { Inside } from './identities.ts';

export type Stage = {
  owner: Person;
  guest: Person;
  /** Shares nothing with the two. */
  stranger: Person;
  documentId: string;
  draftId: string;
  paymentId: string;
  orderId: string;
  sessionId: string;
  /** For a photo that the owner is about to take. */
  captureNonce: string;
  /** Of the document. */
  fileId: string;
  /** A file of the owner's that no document has. */
  uploadId: string;
  /** Of the document, to a number that none of them has; and the token of its link. */
  invitationId: string;
  invitationToken: string;
  /** The guest's, of the invitation. */
  notificationId: string;
  /** The owner's passkey for signing, and an enrolment that the owner has begun. */
  signingKeyId: string;
  signingCeremonyId: string;
  images: Record<'profile_pic' | 'eye' | 'sign', Part>;
  /** A text of a message between the two. */
  message: string;
  /**
   * What the owner, and the guest of the notifications, see of the user's own things: it must be the same after
   * everybody has tried.
   */
  lookAround: () => Promise<string>;
};

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

export async function setStage({ url, postgresUrl }: Inside): Promise<Stage> {
  const [owner, guest, stranger, images] = await Promise.all([
    newPerson(url, 'Owner Rao', freshPhone()),
    newPerson(url, 'Guest Shah', freshPhone()),
    newPerson(url, 'Stranger Nair', freshPhone()),
    verification(7),
  ]);
  const create = async (extra: Record<string, string>): Promise<string> => {
    const fields = {
      name: 'Rent',
      raw_documents: part(PDF, 'application/pdf', 'rent.pdf'),
      ...images,
      ...extra,
    };
    return String((await owner.send('/documents/create', fields)).body['document_id']);
  };
  const documentId = await create({});
  const draftId = await create({ save_as_draft: 'true' });
  await owner.call('POST', '/documents/initiate-agreement', {
    document_id: documentId,
    target_user_char_id: guest.charId,
  });
  const invited = await owner.call('POST', `/documents/${documentId}/invitations`, {
    contact: freshPhone().slice(3),
    send: false,
  });
  const capture = { step: 'eye', document_id: documentId };
  const opened = await owner.call('POST', '/documents/verification/captures', capture);
  const uploaded = await owner.send('/documents/uploads', {
    file: part(PDF, 'application/pdf', 'early.pdf'),
  });
  const message = `between the two ${guest.userId}`;
  await owner.send('/messaging/send', { receiver_id: guest.userId, content: message });
  const order = (await owner.call('POST', '/wallet/create-razorpay-order', { amount: 5 })).body['order'];
  const [session] = listIn<{ _id: string }>((await owner.call('GET', '/auth/sessions')).body);

  const [file] = (await owner.call('GET', `/documents/${documentId}`)).body['raw_files'] as {
    file_id: string;
  }[];

  const notifications = async () =>
    (await guest.call('GET', '/notifications')).body['notifications'] as { _id: string }[];
  await until('the invitation is told', async () => (await notifications()).length > 0);
  const [notification] = await notifications();

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
    // Links are new each time, and so is the time of an empty wallet.
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
    fileId: String(file?.file_id),
    uploadId: String(uploaded.body['upload_id']),
    invitationId: String((invited.body['invitation'] as { _id: string })._id),
    invitationToken: String(invited.body['link']).slice(-32),
    notificationId: String(notification?._id),
    paymentId: await pendingPayment(postgresUrl, documentId, owner.userId),
    orderId: String((order as { id: string }).id),
    sessionId: String(session?._id),
    ...(await signingKey(postgresUrl, owner.userId)),
    images,
    message,
    lookAround,
  };
}

/** A payment that waits for its confirmation, as `payments/create` leaves it once all have approved. */
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

/** A passkey for signing, and an enrolment whose photo was taken and whose passkey is still to come. */
async function signingKey(postgresUrl: string, userId: string) {
  const [key] = await inDatabase<{ id: string }>(
    postgresUrl,
    'documents',
    `INSERT INTO signing_keys
       (id, user_id, name, credential_id, public_key, counter, transports, synced, photo_sha256)
     VALUES (gen_random_uuid(), $1, 'Phone', $2, $3, 0, '{}', false, repeat('a', 64)) RETURNING id`,
    [userId, `phone of ${userId}`, Buffer.from([1])],
  );
  const [ceremony] = await inDatabase<{ id: string }>(
    postgresUrl,
    'documents',
    `INSERT INTO signing_ceremonies (id, user_id, challenge, photo_sha256, expires_at)
     VALUES (gen_random_uuid(), $1, 'c', repeat('a', 64), now() + interval '5 minutes') RETURNING id`,
    [userId],
  );
  return { signingKeyId: String(key?.id), signingCeremonyId: String(ceremony?.id) };
}
