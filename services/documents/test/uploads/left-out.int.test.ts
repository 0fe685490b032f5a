import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { signedPdf } from '@karaar/testing/made-up/files';
import { listIn } from '@karaar/testing/list-in';
import { textOf } from '@karaar/testing/pdf-judges';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { documentForm, draftForm, startApi, verificationForm, type Answer, type Api } from '../api.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-left-out');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
}, 120_000);
afterAll(() => api.stop());

const deed = { name: 'deed.pdf', bytes: signedPdf('Sale deed No. 4711') };
const DEED = createHash('sha256').update(deed.bytes).digest('hex');
const get = async (user: WorldUser, id: string) => (await api.call(user, 'GET', `/documents/${id}`)).body;
const filesOf = async (user: WorldUser, id: string) => (await get(user, id))['raw_files'];

const createWith = async (fields: Record<string, string>): Promise<Answer> =>
  api.send(owner, '/documents/create', await documentForm(fields, deed));
const accepting = (hash: string) => ({ accepted_left_out: JSON.stringify([hash]) });

const refused = {
  status: 422,
  body: {
    code: 'left_out_not_accepted',
    detail: [{ loc: 'accepted_left_out', file: 'deed.pdf' }],
  },
};
const moment = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe('a file with a signature that cannot be sealed', () => {
  it('makes no agreement unless its sender accepts exactly this omission for exactly this file', async () => {
    const others: Record<string, string>[] = [
      {},
      accepting('a'.repeat(64)),
      { accepted_pictures: JSON.stringify([DEED]) },
    ];
    for (const fields of others) {
      const answer = await createWith(fields);
      expect(answer).toMatchObject(refused);
      expect(JSON.stringify(answer.body)).toContain('would be sealed without: digital signatures');
    }
    expect(await createWith({ accepted_left_out: '["x"]' })).toMatchObject({
      status: 422,
      body: { code: 'validation', detail: [{ loc: 'accepted_left_out' }] },
    });

    const { status, body } = await createWith(accepting(DEED));
    expect(status).toBe(201);
    const id = String(body['document_id']);
    expect(await filesOf(owner, id)).toMatchObject([
      { sha256: DEED, left_out: ['signatures'], left_out_accepted_at: moment, pictures_accepted_at: null },
    ]);
    const [line] = listIn<{ detail: string }>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(line?.detail).toContain('accepted: "deed.pdf" is sealed without: digital signatures');
  });

  it('reports the signature with an early upload, and needs consent when it is used', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(deed.bytes)]), deed.name);
    const upload = String((await api.send(owner, '/documents/uploads', form)).body['upload_id']);
    const state = async () => (await api.call(owner, 'GET', `/documents/uploads/${upload}`)).body;
    await until('it is checked', async () => (await state())['state'] !== 'checking', 60_000);
    expect(await state()).toMatchObject({
      state: 'ready',
      sha256: DEED,
      pictures: [],
      left_out: ['signatures'],
    });
    const use = async (fields: Record<string, string>) => {
      const create = await documentForm({ uploads: JSON.stringify([upload]), ...fields }, null);
      return api.send(owner, '/documents/create', create);
    };
    expect(await use({})).toMatchObject(refused);
    // The refusal did not use up the upload.
    expect(await state()).toMatchObject({ state: 'ready' });
    const { body } = await use(accepting(DEED));
    expect(await filesOf(owner, String(body['document_id']))).toMatchObject([
      { left_out: ['signatures'], left_out_accepted_at: moment },
    ]);
  });

  it('is allowed in a draft, and needs consent when the draft is submitted', async () => {
    const draft = async (fields: Record<string, string>) => {
      const form = await draftForm({ save_as_draft: 'true', ...fields }, deed);
      return String((await api.send(owner, '/documents/create', form)).body['document_id']);
    };
    const submit = async (id: string, fields: Record<string, string> = {}) =>
      api.send(owner, `/documents/${id}/submit`, await verificationForm(fields));
    const open = await draft({});
    expect(await submit(open)).toMatchObject(refused);
    expect(await get(owner, open)).toMatchObject({ status: 'draft' });
    expect((await submit(open, accepting(DEED))).status).toBe(200);
    expect(await filesOf(owner, open)).toMatchObject([{ left_out_accepted_at: moment }]);
    expect((await submit(await draft(accepting(DEED)))).status).toBe(200);
  });

  it('is shown to the parties only, before they approve, and in the certificate; its record stays', async () => {
    const id = String((await createWith(accepting(DEED))).body['document_id']);
    await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    expect(await filesOf(guest, id)).toMatchObject([
      { left_out: ['signatures'], left_out_accepted_at: moment },
    ]);
    expect(JSON.stringify(await get(stranger, id))).not.toContain('left_out');

    await api.send(
      guest,
      `/documents/${id}/respond-agreement`,
      await verificationForm({ response: 'accept' }, true),
    );
    await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`);
    const { db } = api.service.foundation;
    for (const change of [sql`left_out = '{}'`, sql`left_out_accepted_at = NULL`])
      await expect(sql`UPDATE raw_files SET ${change} WHERE document_id = ${id}`.execute(db)).rejects.toThrow(
        'these pages were approved',
      );

    await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
    await until('it is sealed', async () => (await get(owner, id))['status'] === 'finalized', 60_000);
    const sealed = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
    const said = (await textOf(new Uint8Array(await sealed.arrayBuffer()))).replace(/\s+/g, ' ');
    expect(said).toContain('Signature valid');
    expect(said).toContain(
      'Not in the sealed pages: digital signatures (where one shows on a page, that is only its picture).',
    );
    expect(said).toMatch(/Asha Rao accepted that, \d+ \w+ \d{4}/);
    // The uploaded file is kept unchanged.
    const [raw] = (await filesOf(guest, id)) as { path: string }[];
    const kept = await fetch(`${api.url}${raw?.path.replace('/api', '')}`);
    expect(
      createHash('sha256')
        .update(new Uint8Array(await kept.arrayBuffer()))
        .digest('hex'),
    ).toBe(DEED);
  });
});
