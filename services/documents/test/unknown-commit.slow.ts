/**
 * The database connection dies after COMMIT is sent and before the response, so the caller does not know the
 * outcome.
 */
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { commitOf, databaseProxy, type Lost } from '@karaar/testing/servers/proxy';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { blobsOf, documentForm, draftForm, startApi, verificationForm, type Api } from './api.ts';
import { approvedBy } from './approved.ts';

jest.setTimeout(120_000);

let api: Api;
let proxy: Awaited<ReturnType<typeof databaseProxy>>;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-unknown-commit', async ({ env }) => {
    proxy = await databaseProxy(env['DATABASE_URL'] ?? '');
    return { DATABASE_URL: proxy.url };
  });
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('विक्रम शाह');
}, 120_000);
afterAll(async () => {
  await api.stop();
  await proxy.close();
});

async function namedPaths(): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    SELECT path FROM (
      SELECT final_path AS path FROM documents
      UNION ALL SELECT path FROM attachments
      UNION ALL SELECT unnest(ARRAY[path, preview_path, thumb_path, text_path]) FROM raw_files
      UNION ALL SELECT unnest(ARRAY[path, preview_path, thumb_path, text_path]) FROM uploads
      UNION ALL SELECT unnest(ARRAY[profile_pic, eye, sign, thumb]) FROM verifications
    ) AS named WHERE path IS NOT NULL`.execute(api.service.foundation.db);
  return rows.map(({ path }) => path);
}

/**
 * Performs an act whose commit gets no response, and checks that all referenced files exist.
 *
 * @returns the number of new files
 */
async function withoutAnswer(lost: Lost, act: () => Promise<unknown>): Promise<number> {
  const before = await namedPaths();
  const { happened } = proxy.fail({ kind: 'answer', to: lost });
  const acting = act();
  await happened;
  await acting;
  const after = await namedPaths();
  const blobs = blobsOf(api);
  const missing: string[] = [];
  for (const path of after) await blobs.stat(path).catch(() => missing.push(path));
  expect(missing).toEqual([]);
  return after.length - before.length;
}

async function draft(): Promise<string> {
  const form = await draftForm();
  form.append('save_as_draft', 'true');
  const { body } = await api.send(owner, '/documents/create', form);
  return String(body['document_id']);
}
const invited = async () => {
  const { id } = await api.create(owner);
  const body = { document_id: id, target_user_char_id: guest.charId };
  await api.call(owner, 'POST', '/documents/initiate-agreement', body);
  return id;
};

describe('rows of a commit without response reference existing files', () => {
  it('after creating a document or a draft', async () => {
    // Four for the raw file, three for the photos.
    const create = async () => api.send(owner, '/documents/create', await documentForm());
    expect(await withoutAnswer(commitOf('verifications'), create)).toBe(7);
    expect(await withoutAnswer(commitOf('raw_files'), draft)).toBe(4);
  });

  it('after an early upload', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await textPdf('Early'))]), 'early.pdf');
    const send = () => api.send(owner, '/documents/uploads', form);
    // Its pages may already exist.
    expect(await withoutAnswer({ saying: 'insert into "uploads"', after: '' }, send)).toBeGreaterThan(0);
  });

  it('after changing and submitting a draft', async () => {
    const id = await draft();
    const change = async () => api.send(owner, `/documents/${id}`, await draftForm(), 'PUT');
    expect(await withoutAnswer(commitOf('raw_files'), change)).toBe(4);
    const submit = async () => api.send(owner, `/documents/${id}/submit`, await verificationForm());
    expect(await withoutAnswer(commitOf('verifications'), submit)).toBe(3);
  });

  it('after accepting an invitation', async () => {
    const id = await invited();
    const accept = async () =>
      api.send(
        guest,
        `/documents/${id}/respond-agreement`,
        await verificationForm({ response: 'accept' }, true),
      );
    expect(await withoutAnswer(commitOf('verifications'), accept)).toBe(4);
  });

  it('after attaching files to a finalization, and after sealing', async () => {
    const id = await approvedBy(api, owner, guest);
    const form = new FormData();
    form.append('final_documents', new Blob(['annex']), 'annex.txt');
    const finalize = () => api.send(owner, `/documents/${id}/finalize`, form, 'PATCH');
    expect(await withoutAnswer(commitOf('attachments'), finalize)).toBeGreaterThanOrEqual(1);

    const other = await approvedBy(api, owner, guest);
    const sealed = proxy.fail({ kind: 'answer', to: commitOf('log_commitments') });
    await api.send(owner, `/documents/${other}/finalize`, new FormData(), 'PATCH');
    await sealed.happened;
    const pdf = async () =>
      fetch(`${api.url}/documents/${other}/final-pdf`, { headers: owner.headers }).then(
        ({ status }) => status,
      );
    await until('the sealed file is served', async () => (await pdf()) === 200, 60_000);
    // By now the worker has decided whether to delete the sealed file.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await pdf()).toBe(200);
  });
});
