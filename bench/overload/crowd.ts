/** Makes the people of the mix, what they have agreed on, and what they have to pay with. */
import type { Product } from '@karaar/dev/product';
import { faceImage } from '@karaar/testing/faces/faces';
import pg from 'pg';
import { approvedAgreement, copies } from '../faults/agreements.ts';
import { paidOrder, signIn } from '../faults/people.ts';
import { databasesOf, sendAs, shareOut } from '../faults/run.ts';
import { newcomer } from '../lib/newcomers.ts';
import { isSmoke } from '../lib/smoke.ts';
import type { Crowd } from './mix.ts';

const NEWCOMERS = isSmoke ? 2 : 6;
const DOCUMENTS = isSmoke ? 12 : 120;

export async function gatherCrowd(product: Product): Promise<Crowd> {
  const { url } = product;
  const [owner, guest] = await Promise.all([signIn(url, '+919000000001'), signIn(url, '+919000000002')]);
  const people = [owner, guest];
  for (let i = 0; i < NEWCOMERS; i += 1)
    people.push(await newcomer(url, `Person ${i + 1}`, `+9170000000${String(i).padStart(2, '0')}`));
  for (const who of [owner, guest]) {
    const { checkout } = await paidOrder(product.process('sandbox').url, who, 1_00_000);
    await who.call('POST', '/wallet/verify-razorpay-payment', checkout);
  }
  const model = await approvedAgreement(owner, guest, (who) => (path, form) => sendAs(url, who, path, form));
  const documents = new pg.Client({ connectionString: databasesOf(product).documents });
  await documents.connect();
  const ids = await copies(documents, model, DOCUMENTS).finally(() => documents.end());
  for (const id of ids) await shareOut(owner, guest, id);
  for (const [at, who] of people.entries())
    await who.call('POST', '/messaging/send', {
      receiver_id: people[(at + 1) % people.length]?.userId,
      content: 'Hello',
    });
  return {
    url,
    people,
    shared: ids.flatMap((documentId) => [owner, guest].map((who) => ({ who, documentId }))),
    photo: Buffer.from(await faceImage({ width: 640, height: 480 })),
  };
}
