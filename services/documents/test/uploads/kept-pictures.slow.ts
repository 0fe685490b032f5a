import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { arrowPdf } from '@karaar/testing/made-up/files';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { textOf } from '@karaar/testing/pdf-judges';
import { documentForm, draftForm, startApi, verificationForm, type Answer, type Api } from '../api.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-kept-pictures');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
}, 120_000);
afterAll(() => api.stop());

const plan = { name: 'plan.pdf', bytes: arrowPdf('The rent is fixed') };
const ARROW = createHash('sha256').update(plan.bytes).digest('hex');

const get = async (user: WorldUser, id: string) => (await api.call(user, 'GET', `/documents/${id}`)).body;
type File = { file_id: string; pictures: number[]; pictures_accepted_at: string | null };
const filesOf = async (id: string) => (await get(owner, id))['raw_files'] as File[];
const documents = async () => {
  const row = await api.service.foundation.db
    .selectFrom('documents')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
};

const accepting = (hashes?: string[]): Record<string, string> =>
  hashes ? { accepted_pictures: JSON.stringify(hashes) } : {};
const createWith = async (accepted?: string[]): Promise<Answer> =>
  api.send(owner, '/documents/create', await documentForm(accepting(accepted), plan));
const approve = (user: WorldUser, id: string, body: object = {}) =>
  api.call(user, 'PUT', `/documents/${id}/approve/${user.userId}`, body);

const refused = {
  status: 422,
  body: {
    code: 'pictures_not_accepted',
    detail: [{ loc: 'accepted_pictures', file: 'plan.pdf' }],
  },
};

describe('pages kept as pictures', () => {
  it('prevent an agreement unless the sender accepts them for exactly this file', async () => {
    const before = await documents();
    for (const accepted of [undefined, [], ['a'.repeat(64)]]) {
      const answer = await createWith(accepted);
      expect(answer).toMatchObject(refused);
      expect(JSON.stringify(answer.body)).toContain('Page 1 of \\"plan.pdf\\" would be kept as a picture');
    }
    const unreadable = await createWith(['x']);
    expect(unreadable).toMatchObject({ status: 422, body: { code: 'validation' } });
    expect(await documents()).toBe(before);

    const { status, body } = await createWith([ARROW]);
    expect(status).toBe(201);
    const id = String(body['document_id']);
    const accepted = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(await filesOf(id)).toMatchObject([
      { pictures: [1], picture_reasons: ['missing'], pictures_accepted_at: accepted },
    ]);
    const [line] = listIn<{ detail: string }>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(line?.detail).toContain('accepted: Page 1 of "plan.pdf" is kept as a picture');
  });

  it('are reported with an early upload, and need consent when it is used', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(plan.bytes)]), plan.name);
    const { body } = await api.send(owner, '/documents/uploads', form);
    const upload = String(body['upload_id']);
    const state = async () => (await api.call(owner, 'GET', `/documents/uploads/${upload}`)).body;
    await until('it is checked', async () => (await state())['state'] !== 'checking', 60_000);
    expect(await state()).toMatchObject({
      state: 'ready',
      pictures: [1],
      picture_reasons: ['missing'],
      sha256: ARROW,
    });
    const use = async (accepted: string[]) => {
      const create = await documentForm({ uploads: JSON.stringify([upload]), ...accepting(accepted) }, null);
      return api.send(owner, '/documents/create', create);
    };
    expect(await use([])).toMatchObject(refused);
    // The refusal did not use up the upload.
    expect(await state()).toMatchObject({ state: 'ready' });
    expect((await use([ARROW])).status).toBe(201);
  });

  it('are allowed in a draft, and need consent when it is submitted', async () => {
    const draft = async (accepted?: string[]) => {
      const form = await draftForm({ save_as_draft: 'true', ...accepting(accepted) }, plan);
      return String((await api.send(owner, '/documents/create', form)).body['document_id']);
    };
    const submit = async (id: string, fields: Record<string, string> = {}) =>
      api.send(owner, `/documents/${id}/submit`, await verificationForm(fields));
    const open = await draft();
    expect(await submit(open)).toMatchObject(refused);
    expect(await get(owner, open)).toMatchObject({ status: 'draft' });
    expect((await submit(open, accepting([ARROW]))).status).toBe(200);
    expect(await filesOf(open)).toMatchObject([{ pictures_accepted_at: expect.any(String) }]);
    expect((await submit(await draft([ARROW]))).status).toBe(200);
  });

  it('are stated in the sealed file with the person who accepted them; only parties can read their text', async () => {
    const { body } = await createWith([ARROW]);
    const id = String(body['document_id']);
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    const [file] = await filesOf(id);
    const text = (user: WorldUser | undefined, fileId = file?.file_id ?? '') =>
      api.call(user, 'GET', `/documents/${id}/files/${fileId}/text`);
    for (const user of [owner, guest])
      expect(await text(user)).toMatchObject({ status: 200, body: { pages: ['The rent is fixed'] } });
    expect(await text(stranger)).toMatchObject({ status: 403, body: { code: 'not_involved' } });
    expect((await text(undefined)).status).toBe(401);
    for (const unknown of ['x', crypto.randomUUID()])
      expect(await text(owner, unknown)).toMatchObject({ status: 404, body: { code: 'file_not_found' } });

    await api.send(
      guest,
      `/documents/${id}/respond-agreement`,
      await verificationForm({ response: 'accept' }, true),
    );
    await approve(owner, id);
    await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
    await until('it is sealed', async () => (await get(owner, id))['status'] === 'finalized', 60_000);
    const sealed = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
    const said = (await textOf(new Uint8Array(await sealed.arrayBuffer()))).replace(/\s+/g, ' ');
    expect(said).toContain('Page 1 is kept as a picture of what viewers show.');
    expect(said).toMatch(/Asha Rao accepted that, \d+ \w+ \d{4}/);
  });
});

describe('the approved pages', () => {
  const exchange = (id: string, hash: string) =>
    sql`UPDATE raw_files SET preview_sha256 = ${hash} WHERE document_id = ${id}`.execute(
      api.service.foundation.db,
    );

  it('are bound: an approval of earlier pages of the same file is refused', async () => {
    const { id } = await api.create(owner);
    const read = String((await get(owner, id))['content_hash']);
    await exchange(id, 'c'.repeat(64));
    expect(await approve(owner, id, { content_hash: read })).toMatchObject({
      status: 409,
      body: { code: 'document_changed', detail: 'The document has changed: read it again.' },
    });
    const again = String((await get(owner, id))['content_hash']);
    expect(again).not.toBe(read);
    expect((await approve(owner, id, { content_hash: again })).status).toBe(200);
  });

  it('cannot be replaced while an approval of them is in force', async () => {
    const { id } = await api.create(owner);
    await approve(owner, id);
    await expect(exchange(id, 'c'.repeat(64))).rejects.toThrow('these pages were approved');
  });

  it('are exactly the sealed pages, or nothing is sealed', async () => {
    const { id } = await api.create(owner);
    await approve(owner, id);
    await api.world.asOwner('ALTER TABLE raw_files DISABLE TRIGGER raw_files_pages_stay');
    await exchange(id, 'c'.repeat(64));
    await api.world.asOwner('ALTER TABLE raw_files ENABLE TRIGGER raw_files_pages_stay');
    await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
    const state = async () => (await get(owner, id))['finalization'] as { state: string; code?: string };
    await until('the job ends', async () => (await state()).state !== 'running', 60_000);
    expect(await state()).toMatchObject({ state: 'failed', code: 'content_changed' });
  });
});
