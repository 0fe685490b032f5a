/** A joiner reads before approving, and may leave until a party has paid. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { agree, createDocument, payAlone, share, topUp } from '../src/journey.ts';
import { confirmDeletion, newPerson, verification, type Person } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { listIn } from '@karaar/testing/list-in';

jest.setTimeout(90_000);

const { url } = sharedProduct;
let [owner, guest] = await Promise.all([newPerson(url, 'Meera Nair'), newPerson(url, 'Vikram Shah')]);

const get = async (person: Person, id: string) => (await person.call('GET', `/documents/${id}`)).body;
const setupOf = async (id: string) =>
  (await owner.call('GET', `/payments/document/${id}/calculate`)).body['payment_status'];
/** Returns true if a user sees the other's complete phone number, as users who share a document do. */
const knows = async (person: Person, other: Person) =>
  JSON.stringify((await person.call('GET', `/users/${other.userId}`)).body).includes(other.phone.slice(-10));

it('[DOC-077] [DOC-113] a joiner is admitted, reads, and then approves', async () => {
  const id = await createDocument(owner);
  const document_code = String((await get(owner, id))['document_code']);
  await guest.send('/documents/join', { document_code, ...(await verification(2)) });
  expect(await get(guest, id)).not.toHaveProperty('upload_raw_docs');
  await owner.call('PUT', `/documents/${id}/approve-user/${guest.userId}`);
  await owner.call('PUT', `/documents/${id}/approve/${owner.userId}`);
  const { content_hash, status, upload_raw_docs } = await get(guest, id);
  expect([status, (upload_raw_docs as string[]).length > 0]).toEqual(['pending_approval', true]);
  const unread = { content_hash: '0'.repeat(64) };
  const refused = await guest.call('PUT', `/documents/${id}/approve/${guest.userId}`, unread, [409]);
  expect(refused.body).toMatchObject({ code: 'document_changed' });
  const { body } = await guest.call('PUT', `/documents/${id}/approve/${guest.userId}`, { content_hash });
  expect(body['status']).toBe('approved');
});

it('a party leaves before any payment: the shares are removed, and the two no longer see each other’s contacts', async () => {
  const [asha, kiran] = await Promise.all([newPerson(url, 'Asha Rao'), newPerson(url, 'Kiran Das')]);
  [owner, guest] = [asha, kiran];
  const id = await createDocument(asha);
  await agree(asha, kiran, id);
  await share(asha, id, [
    [asha, 50],
    [kiran, 50],
  ]);
  await kiran.call('POST', '/payments/create', { document_id: id });
  await until('they share a document', () => knows(asha, kiran));
  await kiran.call('POST', `/documents/${id}/withdraw`, { reason: 'I have found another flat.' });
  expect(await get(asha, id)).toMatchObject({ status: 'pending', involved_users: [asha.userId] });
  await until('the shares are gone', async () => (await setupOf(id)) === 'not_setup');
  await until('they share no document', async () => !(await knows(asha, kiran)));
  const { body } = await asha.call('GET', `/documents/${id}/events`);
  expect(listIn(body).slice(-2)).toMatchObject([
    { type: 'party.withdrawn', reason: 'I have found another flat.' },
    { type: 'party.approval_ended' },
  ]);
  // The account can be deleted now.
  await confirmDeletion(url, kiran);
  await kiran.call('POST', '/users/profile/deletion', { confirm_char_id: kiran.charId });
});

it('a party cannot leave once a share is paid; the refusal names the payer', async () => {
  const [asha, kiran] = await Promise.all([newPerson(url, 'Asha Rao'), newPerson(url, 'Kiran Das')]);
  const id = await createDocument(asha);
  await agree(asha, kiran, id);
  await topUp(url, asha, 10);
  await payAlone(asha, id);
  const refused = await kiran.call('POST', `/documents/${id}/withdraw`, {}, [409]);
  expect(refused.body).toMatchObject({
    code: 'share_taken',
    detail: expect.stringContaining('Asha Rao has paid ₹7.00.'),
  });
  expect(await get(kiran, id)).toMatchObject({ status: 'approved' });
});
