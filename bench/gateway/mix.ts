/** The requests of signed-in users in the proportions of a day's use. */
import type { Product } from '@karaar/dev/product';
import { part, toForm, type Person } from '@karaar/e2e/src/person.ts';
import { faceImage } from '@karaar/testing/faces/faces';
import { isSmoke } from '../lib/smoke.ts';
import { makePayers, sharesToPay, type Due } from '../pay/shares.ts';
import { COUNTER, type Kind, type MixRequest } from './sender.ts';

const PEOPLE = isSmoke ? 4 : 8;
const SHARES = isSmoke ? 24 : 240;

/** Creates users, their agreements and balances. @returns the number of users, and their requests */
export async function mixFor(product: Product): Promise<{ people: number; kinds: Kind[] }> {
  const people = await makePayers(product, PEOPLE);
  const shares = await sharesToPay(product, people, SHARES);
  for (const [at, who] of people.entries()) {
    const receiver_id = people[(at + 1) % people.length]?.userId;
    await who.call('POST', '/messaging/send', { receiver_id, content: 'Hello' });
  }
  return { people: people.length, kinds: await mixOf(people, shares) };
}

/** @param shares that these users pay for */
export async function mixOf(people: readonly Person[], shares: readonly Due[]): Promise<Kind[]> {
  const get = ({ headers }: Person, path: string): MixRequest => ({
    method: 'GET',
    path: `/api${path}`,
    // As browsers send it: compression is part of the cost of an answer.
    headers: { ...headers, accept: 'application/json', 'accept-encoding': 'gzip, deflate, br' },
  });
  const post = (who: Person, path: string, body: string | Uint8Array, type = 'application/json') => {
    const { headers, ...request } = get(who, path);
    return { ...request, method: 'POST' as const, headers: { ...headers, 'content-type': type }, body };
  };
  const next = (at: number) => people[(at + 1) % people.length]?.userId;
  const each = (path: string) => people.map((who) => get(who, path));
  const ofDocuments = (path: (id: string) => string) =>
    shares.map(({ who, documentId }) => get(who, path(documentId)));
  const image = part(await faceImage({ width: 640, height: 480 }), 'image/jpeg', 'face.jpg');
  const encoded = new Response(toForm({ detect_type: 'faces', image }));
  const photo = new Uint8Array(await encoded.arrayBuffer());
  const photoType = encoded.headers.get('content-type') ?? '';
  const judge = people.map((who) => post(who, '/documents/verification/validate', photo, photoType));
  const chat = people.map((who, at) => get(who, `/messaging/conversations/${next(at)}?limit=20&peek=true`));
  const content = 'Is the agreement ready?';
  const write = people.map((who, at) => {
    const message = { receiver_id: next(at), content, client_message_id: COUNTER };
    return post(who, '/messaging/send', JSON.stringify(message));
  });
  const pay = shares.map(({ who, documentId }) => post(who, `/payments/document/${documentId}/pay`, '{}'));
  const kinds = (urgency: Kind['urgency'], all: readonly [string, number, MixRequest[]][]): Kind[] =>
    all.map(([name, weight, requests]) => ({ name, urgency, weight, requests }));
  return [
    ...kinds('vital', [['pay', 1, pay]]),
    ...kinds('usual', [
      ['profile', 8, each('/users/profile')],
      ['document', 10, ofDocuments((id) => `/documents/${id}`)],
      ['payment status', 4, ofDocuments((id) => `/payments/document/${id}/payment-status`)],
      ['balance', 10, each('/wallet/balance')],
      ['unread', 8, each('/messaging/unread-count')],
      ['person', 3, people.map((who, at) => get(who, `/messaging/people/${next(at)}`))],
      ['settings', 2, each('/documents/notice-settings')],
      ['write', 6, write],
      ['photo', 0.5, judge],
    ]),
    ...kinds('patient', [
      ['documents', 10, each('/documents/my-documents/page?limit=20')],
      ['counts', 6, each('/documents/my-documents/counts')],
      ['pending', 6, each('/documents/pending-agreements')],
      ['events', 3, ofDocuments((id) => `/documents/${id}/events`)],
      ['transactions', 6, each('/wallet/transactions?limit=20')],
      ['payments', 3, each('/payments/my-payments')],
      ['chats', 8, each('/messaging/conversations?limit=20')],
      ['chat', 6, chat],
      ['sessions', 1, each('/auth/sessions')],
    ]),
  ];
}
