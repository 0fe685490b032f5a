import { jest } from '@jest/globals';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { textOf } from '@karaar/testing/pdf-judges';
import { blobsOf, documentForm, startApi, type Answer, type Api } from '../api.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let stranger: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-early-uploads');
  owner = await api.world.addUser('Asha Rao');
  stranger = await api.world.addUser('Vikram Shah');
}, 120_000);
afterAll(() => api.stop());

async function send(user: WorldUser, bytes: Uint8Array, name: string): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return api.send(user, '/documents/uploads', form);
}

const state = (id: string, user = owner) => api.call(user, 'GET', `/documents/uploads/${id}`);

async function checked(bytes: Uint8Array, name: string): Promise<Record<string, unknown>> {
  const { status, body } = await send(owner, bytes, name);
  expect({ status, body }).toMatchObject({ status: 201, body: { state: 'checking', name } });
  const id = String(body['upload_id']);
  await until('the file is checked', async () => (await state(id)).body['state'] !== 'checking', 60_000);
  return (await state(id)).body;
}

async function createWith(uploads: unknown[], change?: (form: FormData) => void): Promise<Answer> {
  const form = await documentForm();
  form.delete('raw_documents');
  form.append('uploads', JSON.stringify(uploads));
  change?.(form);
  return api.send(owner, '/documents/create', form);
}

const filesOf = async (id: string) =>
  (await api.call(owner, 'GET', `/documents/${id}`)).body['raw_files'] as Record<string, unknown>[];

describe('early uploads', () => {
  it('are checked in the background, shown to their sender, and become files of one document', async () => {
    const word = await checked(docx(['Terms of the shop']), 'terms.docx');
    expect(word).toMatchObject({ state: 'ready', pages: 1, pages_done: 1, pictures: [], code: null });
    const preview = await fetch(`${api.url}${String(word['preview']).replace('/api', '')}`);
    const read = new Uint8Array(await preview.arrayBuffer());
    expect(await textOf(read)).toContain('Terms of the shop');

    const created = await createWith([word['upload_id']]);
    expect(created).toMatchObject({ status: 201 });
    const [file] = await filesOf(String(created.body['document_id']));
    expect(file).toMatchObject({
      name: 'terms.docx',
      pages: 1,
      sha256: word['sha256'],
    });
    // The sealed pages are byte for byte the pages that were shown.
    const kept = await fetch(`${api.url}${String(file?.['preview']).replace('/api', '')}`);
    expect(Buffer.from(await kept.arrayBuffer()).equals(Buffer.from(read))).toBe(true);

    expect(await state(String(word['upload_id']))).toMatchObject({ status: 404 });
    expect(await createWith([word['upload_id']])).toMatchObject({
      status: 404,
      body: { code: 'upload_not_found' },
    });
  });

  it('follow the files of the form, also in a draft, and count together with the draft’s files', async () => {
    const first = await checked(await textPdf('One'), 'one.pdf');
    const form = await documentForm();
    form.append('save_as_draft', 'true');
    form.append('uploads', JSON.stringify([first['upload_id']]));
    const draft = await api.send(owner, '/documents/create', form);
    const id = String(draft.body['document_id']);
    const before = await filesOf(id);
    expect(before.at(-1)).toMatchObject({ name: 'one.pdf' });
    const second = await checked(await textPdf('Two'), 'two.pdf');
    const change = new FormData();
    for (const [name, value] of Object.entries({
      name: 'Shop',
      uploads: JSON.stringify([second['upload_id']]),
    }))
      change.append(name, value);
    expect(await api.send(owner, `/documents/${id}`, change, 'PUT')).toMatchObject({ status: 200 });
    expect((await filesOf(id)).map(({ name }) => name).slice(-2)).toEqual(['one.pdf', 'two.pdf']);
  });

  it('are refused with a reason, also on use, if they cannot be sealed as they look', async () => {
    const macros = await checked(docx(['x'], { 'word/vbaProject.bin': 'x' }), 'm.docx');
    expect(macros).toMatchObject({ state: 'refused', code: 'file_macros' });
    expect(String(macros['detail'])).toContain('"m.docx" contains macros');
    expect(await createWith([macros['upload_id']])).toMatchObject({
      status: 422,
      body: { code: 'file_macros' },
    });
    const broken = await checked(Buffer.from('%PDF-1.7 garbage'), 'b.pdf');
    expect(broken).toMatchObject({ state: 'refused', code: 'file_broken' });
    expect(await send(owner, Buffer.from('hello'), 'note.txt')).toMatchObject({
      status: 422,
      body: { code: 'file_kind', detail: [{ file: 'note.txt' }] },
    });
  });

  it('are invisible to other users, who cannot use them', async () => {
    const mine = await checked(await textPdf('Mine'), 'mine.pdf');
    const id = String(mine['upload_id']);
    const missing = { status: 404, body: { code: 'upload_not_found' } };
    expect(await state(id, stranger)).toMatchObject(missing);
    expect(await api.call(stranger, 'DELETE', `/documents/uploads/${id}`)).toMatchObject(missing);
    const form = await documentForm();
    form.append('uploads', JSON.stringify([id]));
    expect(await api.send(stranger, '/documents/create', form)).toMatchObject(missing);
    expect(await state(id)).toMatchObject({ status: 200 });
    for (const uploads of ['x', '["x"]', '{}']) {
      const wrong = await documentForm();
      wrong.append('uploads', uploads);
      expect(await api.send(owner, '/documents/create', wrong)).toMatchObject({ status: 422 });
    }
  });

  it('are used by only one of several concurrently created documents', async () => {
    const upload = await checked(await textPdf('Once'), 'once.pdf');
    const answers = await Promise.all(Array.from({ length: 6 }, () => createWith([upload['upload_id']])));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    // A request after the use does not find the upload.
    for (const { body } of refused) expect(['upload_taken', 'upload_not_found']).toContain(body['code']);
  });

  it('are reported as used if another document takes them between look-up and use', async () => {
    const upload = await checked(await textPdf('Taken'), 'taken.pdf');
    // The other document erases the upload after copying it.
    await blobsOf(api).eraseOwner(String(upload['upload_id']));
    expect(await createWith([upload['upload_id']])).toMatchObject({
      status: 409,
      body: { code: 'upload_taken' },
    });
  });

  it('are erased when they are deleted, and a day after they were sent', async () => {
    const { db } = api.service.foundation;
    for (const forget of [
      async (id: string) => {
        expect(await api.call(owner, 'DELETE', `/documents/uploads/${id}`)).toMatchObject({ status: 200 });
      },
      async (id: string) => {
        await sql`UPDATE uploads SET expires_at = now() - interval '1 s' WHERE id = ${id}`.execute(db);
      },
    ]) {
      const upload = await checked(await textPdf('Gone'), 'gone.pdf');
      const id = String(upload['upload_id']);
      const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      await forget(id);
      await until('it is gone', async () => (await state(id)).status === 404, 20_000);
      const blobs = blobsOf(api);
      for (const path of [row.path, String(row.preview_path), String(row.thumb_path)])
        await until(
          'its bytes are gone',
          () =>
            blobs.stat(path).then(
              () => false,
              () => true,
            ),
          20_000,
        );
    }
  });

  it('are limited to forty per user', async () => {
    const hoarder = await api.world.addUser('Meera Nair');
    const one = await send(hoarder, await textPdf('One'), 'one.pdf');
    expect(one.status).toBe(201);
    await sql`
      INSERT INTO uploads (id, user_id, name, kind, mime, size, sha256, path, state, expires_at)
      SELECT gen_random_uuid(), user_id, name, kind, mime, size, sha256, path, 'ready', expires_at
      FROM uploads, generate_series(1, 39) WHERE id = ${String(one.body['upload_id'])}`.execute(
      api.service.foundation.db,
    );
    expect(await send(hoarder, await textPdf('One more'), 'more.pdf')).toMatchObject({ status: 429 });
  });
});
