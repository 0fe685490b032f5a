/** The requests of signed-in people, in the proportions of a day's use, as bytes. */
import type { Product } from '@karaar/dev/product';
import { faceImage } from '@karaar/testing/faces/faces';
import { approvedAgreement, copies, shareOut } from '../lib/agreements.ts';
import { DEMO, newcomer, signIn, topUp, type Payer } from '../lib/people.ts';
import { databasesOf } from '../lib/product.ts';
import { isSmoke } from '../lib/smoke.ts';
import { COUNTER, type Kind } from './protocol.ts';

const NEWCOMERS = isSmoke ? 2 : 6;
const DOCUMENTS = isSmoke ? 12 : 120;
const BOUNDARY = 'karaar-overload';
const JSON_TYPE = 'application/json';

/** Makes the people of the mix, what they have agreed on and what they have to pay with. @returns how many, and the mix */
export async function mixFor(product: Product): Promise<{ people: number; kinds: Kind[] }> {
  const { url } = product;
  const [owner, guest] = await Promise.all([signIn(url, DEMO[0]), signIn(url, DEMO[1])]);
  const people = [owner, guest];
  for (let i = 0; i < NEWCOMERS; i += 1)
    people.push(await newcomer(url, `Person ${i + 1}`, `+9170000000${String(i).padStart(2, '0')}`));
  for (const who of [owner, guest]) await topUp(product.process('sandbox').url, who, 1_00_000);
  const model = await approvedAgreement(url, owner, guest);
  const ids = await copies(databasesOf(product).documents, model, DOCUMENTS);
  for (const id of ids) await shareOut(owner, guest, id);
  for (const [at, who] of people.entries())
    await who.call('POST', '/messaging/send', {
      receiver_id: people[(at + 1) % people.length]?.userId,
      content: 'Hello',
    });
  const shared = ids.flatMap((id) => [owner, guest].map((who) => ({ who, id })));
  const photo = Buffer.from(await faceImage({ width: 640, height: 480 }));
  return { people: people.length, kinds: mixOf(url, people, shared, photo) };
}

function mixOf(
  url: string,
  people: readonly Payer[],
  shared: readonly { who: Payer; id: string }[],
  photo: Buffer,
): Kind[] {
  const request = (who: Payer, method: string, path: string, body?: string, type = JSON_TYPE): string => {
    const head = [
      `${method} /api${path} HTTP/1.1`,
      `host: ${new URL(url).host}`,
      `authorization: ${who.headers.authorization}`,
      'accept: application/json',
      // As browsers send it: packing is part of what an answer costs.
      'accept-encoding: gzip, deflate, br',
      ...(body === undefined
        ? []
        : [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body, 'latin1')}`]),
    ];
    return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
  };
  const next = (at: number) => people[(at + 1) % people.length]?.userId;
  const get = (path: string | ((at: number) => string)) =>
    people.map((who, at) => request(who, 'GET', typeof path === 'string' ? path : path(at)));
  const ofDocuments = (method: string, path: (id: string) => string, body?: string) =>
    shared.map(({ who, id }) => request(who, method, path(id), body));
  const form =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="detect_type"\r\n\r\nfaces\r\n` +
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="image"; filename="face.jpg"\r\n` +
    `content-type: image/jpeg\r\n\r\n${photo.toString('latin1')}\r\n--${BOUNDARY}--\r\n`;
  const judge = people.map((who) =>
    request(
      who,
      'POST',
      '/documents/verification/validate',
      form,
      `multipart/form-data; boundary=${BOUNDARY}`,
    ),
  );
  const message = (at: number) =>
    JSON.stringify({
      receiver_id: next(at),
      content: 'Is the agreement ready?',
      client_message_id: COUNTER,
    });
  const write = people.map((who, at) => request(who, 'POST', '/messaging/send', message(at)));
  const kinds = (urgency: Kind['urgency'], all: readonly [string, number, string[]][]): Kind[] =>
    all.map(([name, weight, texts]) => ({ name, urgency, weight, texts }));
  return [
    ...kinds('vital', [['pay', 1, ofDocuments('POST', (id) => `/payments/document/${id}/pay`, '{}')]]),
    ...kinds('usual', [
      ['profile', 8, get('/users/profile')],
      ['document', 10, ofDocuments('GET', (id) => `/documents/${id}`)],
      ['payment status', 4, ofDocuments('GET', (id) => `/payments/document/${id}/payment-status`)],
      ['balance', 10, get('/wallet/balance')],
      ['unread', 8, get('/messaging/unread-count')],
      ['person', 3, get((at) => `/messaging/people/${next(at)}`)],
      ['settings', 2, get('/documents/notice-settings')],
      ['write', 6, write],
      ['photo', 0.5, judge],
    ]),
    ...kinds('patient', [
      ['documents', 10, get('/documents/my-documents/page?limit=20')],
      ['counts', 6, get('/documents/my-documents/counts')],
      ['pending', 6, get('/documents/pending-agreements')],
      ['events', 3, ofDocuments('GET', (id) => `/documents/${id}/events`)],
      ['transactions', 6, get('/wallet/transactions?limit=20')],
      ['payments', 3, get('/payments/my-payments')],
      ['chats', 8, get('/messaging/conversations?limit=20')],
      ['chat', 6, get((at) => `/messaging/conversations/${next(at)}?limit=20&peek=true`)],
      ['sessions', 1, get('/auth/sessions')],
    ]),
  ];
}
