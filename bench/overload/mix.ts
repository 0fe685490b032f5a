/** What signed-in people ask for, in the proportions of a day's use, as whole requests. */
import type { Payer } from '../faults/people.ts';
import { COUNTER, type Kind } from './protocol.ts';

/** Two who pay each other's documents, and people who look around and write. */
export type Crowd = {
  url: string;
  people: readonly Payer[];
  /** Documents that their owner and guest have a share of. */
  shared: readonly { who: Payer; documentId: string }[];
  photo: Buffer;
};

const BOUNDARY = 'karaar-overload';

function request(
  url: string,
  who: Payer,
  method: string,
  path: string,
  body?: string,
  type?: string,
): string {
  const head = [
    `${method} /api${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    `authorization: ${who.headers['authorization'] ?? ''}`,
    'accept: application/json',
    // As browsers send it: packing is part of what an answer costs.
    'accept-encoding: gzip, deflate, br',
  ];
  if (body !== undefined)
    head.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body, 'latin1')}`);
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

export function mixOf({ url, people, shared, photo }: Crowd): Kind[] {
  const next = (at: number) => people[(at + 1) % people.length] ?? people[0];
  const get = (path: (who: Payer, at: number) => string) =>
    people.map((who, at) => request(url, who, 'GET', path(who, at)));
  const json = (path: string, body: (at: number) => unknown) =>
    people.map((who, at) => request(url, who, 'POST', path, JSON.stringify(body(at)), 'application/json'));
  const ofDocuments = (method: string, path: (id: string) => string, body?: string) =>
    shared.map(({ who, documentId }) =>
      request(url, who, method, path(documentId), body, 'application/json'),
    );
  const form =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="detect_type"\r\n\r\nfaces\r\n` +
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="image"; filename="face.jpg"\r\n` +
    `content-type: image/jpeg\r\n\r\n${photo.toString('latin1')}\r\n--${BOUNDARY}--\r\n`;
  const judge = people.map((who) =>
    request(
      url,
      who,
      'POST',
      '/documents/verification/validate',
      form,
      `multipart/form-data; boundary=${BOUNDARY}`,
    ),
  );
  const message = (at: number) => ({
    receiver_id: next(at)?.userId,
    content: 'Is the agreement ready?',
    client_message_id: COUNTER,
  });
  const list = { urgency: 'patient' } as const;
  const read = { urgency: 'usual' } as const;

  return [
    {
      name: 'pay',
      urgency: 'vital',
      weight: 1,
      texts: ofDocuments('POST', (id) => `/payments/document/${id}/pay`, '{}'),
    },
    { name: 'profile', ...read, weight: 8, texts: get(() => '/users/profile') },
    { name: 'document', ...read, weight: 10, texts: ofDocuments('GET', (id) => `/documents/${id}`) },
    {
      name: 'payment status',
      ...read,
      weight: 4,
      texts: ofDocuments('GET', (id) => `/payments/document/${id}/payment-status`),
    },
    { name: 'balance', ...read, weight: 10, texts: get(() => '/wallet/balance') },
    { name: 'unread', ...read, weight: 8, texts: get(() => '/messaging/unread-count') },
    { name: 'person', ...read, weight: 3, texts: get((_who, at) => `/messaging/people/${next(at)?.userId}`) },
    { name: 'settings', ...read, weight: 2, texts: get(() => '/documents/notice-settings') },
    { name: 'write', ...read, weight: 6, texts: json('/messaging/send', message) },
    { name: 'photo', ...read, weight: 0.5, texts: judge },
    { name: 'documents', ...list, weight: 10, texts: get(() => '/documents/my-documents/page?limit=20') },
    { name: 'counts', ...list, weight: 6, texts: get(() => '/documents/my-documents/counts') },
    { name: 'pending', ...list, weight: 6, texts: get(() => '/documents/pending-agreements') },
    { name: 'events', ...list, weight: 3, texts: ofDocuments('GET', (id) => `/documents/${id}/events`) },
    { name: 'transactions', ...list, weight: 6, texts: get(() => '/wallet/transactions?limit=20') },
    { name: 'payments', ...list, weight: 3, texts: get(() => '/payments/my-payments') },
    { name: 'chats', ...list, weight: 8, texts: get(() => '/messaging/conversations?limit=20') },
    {
      name: 'chat',
      ...list,
      weight: 6,
      texts: get((_who, at) => `/messaging/conversations/${next(at)?.userId}?limit=20&peek=true`),
    },
    { name: 'sessions', ...list, weight: 1, texts: get(() => '/auth/sessions') },
  ];
}
