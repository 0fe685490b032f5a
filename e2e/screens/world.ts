/** Users, and documents in every state, created over the public API. */
import { idCardPng } from '@karaar/testing/faces/faces';
import { until } from '@karaar/testing/until';
import { fetchPatiently } from '../src/patience.ts';
import {
  adminToken,
  callerOf,
  newPerson,
  part,
  verification,
  type Part,
  type Person,
} from '../src/person.ts';
import { agree, codeOf, createDocument, finalize, invite, payAlone, topUp } from '../src/journey.ts';

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** @param url address of a product, which can have one of these worlds */
export async function makeWorld(url: string) {
  const phoneOf = (digit: string) => `+9198${digit.repeat(8)}`;
  const asha = await person(url, 'Asha Rao', phoneOf('1'));
  const vikram = await person(url, 'Vikram Shah', phoneOf('2'));
  const meera = await person(url, 'Meera Iyer', phoneOf('3'));
  const ravi = await person(url, 'Ravi Kumar', phoneOf('4'));
  await topUp(url, asha, 500);
  const documents = await makeDocuments(asha, vikram);
  const openCode = await joinRequest(asha, meera, documents.pending);
  await talk(asha, vikram, meera);
  await meera.call('POST', '/messaging/reports', {
    user_id: vikram.userId,
    reason: 'fraud',
    details: 'He asked me for a deposit outside of the agreement, twice, and then did not answer any more.',
  });
  const asked = { contact: '9855555555', send: false };
  const { body: invited } = await vikram.call('POST', `/documents/${documents.admitted}/invitations`, asked);
  return {
    ...{ url, asha, vikram, ravi, documents, openCode },
    adminToken: await administrate(url, asha, documents.finalized),
    sealedCode: await codeOf(asha, documents.finalized),
    invitationPath: String(invited['link']).replace(/^https?:\/\/[^/]+/, ''),
  };
}

/** Fills the lists of admins with a refund and a viewed image. @returns the admin's token */
async function administrate(url: string, user: Person, documentId: string): Promise<string> {
  const token = await adminToken(url);
  const admin = callerOf(url, token);
  const view = { user_id: user.userId, kind: 'sign', reason: 'Vikram Shah disputes the signature' };
  const viewed = await fetchPatiently(`${url}/api/admin/documents/${documentId}/biometrics`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(view),
  });
  if (!viewed.ok) throw new Error(`the image answered ${viewed.status}`);
  let payment: string | undefined;
  await until('a top-up in the list', async () => {
    const list = `/admin/payments/page?type=top_up&status=completed&search=${user.charId}`;
    const { items } = (await admin.call('GET', list)).body as { items: { payment_id: string }[] };
    payment = items[0]?.payment_id;
    return payment !== undefined;
  });
  const refund = { payment_id: payment, amount: 25, reason: 'Topped up twice by mistake' };
  await admin.call('POST', '/admin/wallet/refunds', { ...refund, idempotency_key: `world-${payment}` });
  return token;
}

export async function readIn({ asha, vikram, ravi }: World, language: string): Promise<void> {
  for (const reader of [asha, vikram, ravi])
    await reader.send('/users/profile', { language }, { method: 'PUT' });
}

async function person(url: string, name: string, phone: string): Promise<Person> {
  const made = await newPerson(url, name, phone);
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.net`;
  await made.send('/users/profile', { email }, { method: 'PUT' });
  return made;
}

const create = (owner: Person, name: string, location: string) => createDocument(owner, { name, location });

async function makeDocuments(asha: Person, vikram: Person) {
  const finalized = await create(asha, 'Shop lease, MG Road', 'Pune');
  await agree(asha, vikram, finalized);
  await payAlone(asha, finalized);
  await finalize(asha, finalized);

  const rejected = await create(asha, 'Catering for a wedding', 'Nashik');
  await invite(asha, vikram, rejected);
  const refusal = { response: 'reject', reason: 'The menu has changed since we spoke.' };
  await vikram.call('POST', `/documents/${rejected}/respond-agreement`, refusal);

  const approved = await create(asha, 'Sale of a scooter', '');
  await agree(asha, vikram, approved);

  const pending = await create(asha, 'Rent agreement for the flat in Kothrud', 'Kothrud, Pune');
  await invite(asha, vikram, pending);

  const invitation = await create(vikram, 'Furniture on loan for eleven months', 'Mumbai');
  await invite(vikram, asha, invitation);

  const admitted = await create(vikram, 'Partnership for a bakery', 'Pune');
  await joinRequest(vikram, asha, admitted);
  await vikram.call('PUT', `/documents/${admitted}/approve-user/${asha.userId}`);
  return { pending, approved, finalized, rejected, invitation, admitted };
}

/** @returns the document's code */
async function joinRequest(owner: Person, joiner: Person, id: string): Promise<string> {
  const code = await codeOf(owner, id);
  await joiner.send('/documents/join', { document_code: code, ...(await verification(3)) });
  return code;
}

async function talk(asha: Person, vikram: Person, meera: Person): Promise<void> {
  const say = (from: Person, to: Person, content: string, more: Record<string, Part> = {}) =>
    from.send('/messaging/send', { receiver_id: to.userId, content, ...more });
  const attachment = part(await idCardPng(), 'image/png', 'shop.png');
  await say(vikram, asha, 'I have looked at the lease. Page 2 says seven days, is that right?');
  await say(asha, vikram, 'Yes, from the first to the seventh. The deposit is in the second file.');
  await say(asha, vikram, 'The rules of the building: https://example.org/rules/mg-road');
  await say(asha, vikram, 'The receipt of the deposit.', { attachment });
  await say(vikram, asha, 'Then I will sign today.');
  await say(meera, asha, 'मैंने आपके समझौते में शामिल होने का अनुरोध भेजा है।');
}
