/** The history of a document as PDF, as poppler reads it. */
import { jest } from '@jest/globals';
import { LANGUAGES } from '@karaar/contracts/limits';
import { complaints, textOf } from '@karaar/testing/pdf-judges';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { approvedBy } from '../approved.ts';
import { draftForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-history');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('विक्रम शाह', { language: 'hi' });
}, 120_000);
afterAll(() => api.stop());

async function historyOf(user: WorldUser, id: string, query = '') {
  const answer = await fetch(`${api.url}/documents/${id}/history-pdf${query}`, { headers: user.headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  const pdf = Buffer.from(await answer.arrayBuffer());
  expect(await complaints(pdf)).toBe('');
  return { name: answer.headers.get('content-disposition'), text: (await textOf(pdf)).replace(/\s+/g, ' ') };
}
const invite = (id: string) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });

it('has who did what and when, the evidence, the files, the code and the pages, in every language', async () => {
  const id = await approvedBy(api, owner, guest);
  const { document_code: code, raw_files: files } = (await api.call(owner, 'GET', `/documents/${id}`))
    .body as { document_code: string; raw_files: { sha256: string }[] };
  const { name, text } = await historyOf(owner, id);
  expect(name).toContain(`${code}-history.pdf`);
  for (const part of [
    'This is a record of what happened and is not the sealed agreement.',
    'Asha Rao Invited विक्रम शाह',
    'IST',
    'SHA-256: face photo',
    'Page 1 of',
    `Karaar · ${code}`,
  ])
    expect(text).toContain(part);
  expect(text.replaceAll(' ', '')).toContain(files[0]?.sha256);
  expect(text.match(/Approved \d+ \w+ \d+, [\d:]+ IST/g)).toHaveLength(2);
  for (const language of LANGUAGES)
    expect((await historyOf(owner, id, `?language=${language}`)).text).toContain('Invited विक्रम शाह');
});

it('is in the language of the account', async () => {
  const { id } = await api.create(owner);
  await invite(id);
  const { text } = await historyOf(guest, id);
  expect(text).toContain('रिकॉर्ड में: Invited विक्रम शाह');
});

it('has the reason of a rejection and of a cancellation, and names with markup as text', async () => {
  const { id } = await api.create(owner);
  await invite(id);
  await api.send(
    guest,
    `/documents/${id}/respond-agreement`,
    await verificationForm({ response: 'reject', reason: '<b>Too dear</b> & late' }, false),
  );
  expect((await historyOf(guest, id, '?language=en')).text).toContain('<b>Too dear</b> & late');
  const { id: other } = await api.create(owner);
  await invite(other);
  await api.call(owner, 'POST', `/documents/${other}/cancel`, { reason: 'Another flat' });
  expect((await historyOf(owner, other)).text).toContain('Another flat');
});

it('is refused for people whom the document does not involve, and for a draft', async () => {
  const stranger = await api.world.addUser('Meera Nair');
  const { id, code } = await api.create(owner);
  const path = `/documents/${id}/history-pdf`;
  refused(await api.call(stranger, 'GET', path), 403);
  await api.send(stranger, '/documents/join', await verificationForm({ document_code: code }, true));
  refused(await api.call(stranger, 'GET', path), 403);
  await invite(id);
  await historyOf(guest, id);
  await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`);
  refused(await api.call(guest, 'GET', path), 403);
  const draft = (await api.send(owner, '/documents/create', await draftForm({ save_as_draft: 'true' }))).body[
    'document_id'
  ];
  refused(await api.call(owner, 'GET', `/documents/${draft}/history-pdf`), 409);
  refused(await api.call(guest, 'GET', `/documents/${draft}/history-pdf`), 404);
});
