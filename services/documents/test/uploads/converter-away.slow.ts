/** The converter is killed during a job or is down: no agreement is lost, and users see the actual state. */
import { jest } from '@jest/globals';
import type { Document } from '@karaar/contracts/documents/http';
import { textPdf } from '@karaar/testing/made-up/files';
import { startTestConverter, type TestConverter } from '@karaar/testing/servers/converter';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { draftForm, startApi, type Api } from '../api.ts';
import { approvedBy } from '../approved.ts';

jest.setTimeout(180_000);

let api: Api;
let converter: TestConverter;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  converter = await startTestConverter();
  api = await startApi('documents-converter-away', { CONVERTER_URL: converter.url });
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
});
afterAll(async () => {
  await api.stop();
  await converter.stop();
});

const read = async (id: string) => (await api.call(owner, 'GET', `/documents/${id}`)).body as Document;

it('repeats a finalization whose converter was killed', async () => {
  const id = await approvedBy(api, owner, guest);
  const answer = api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
  await until('it works on the pages', async () => (await read(id)).finalization?.progress?.step === 'pages');
  await converter.kill();
  await until('the job is there to be tried again', async () => {
    const { attempts, state } = await api.service.foundation.db
      .selectFrom('finalization_jobs')
      .select(['attempts', 'state'])
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    return attempts > 1 || state === 'queued';
  });
  expect(await read(id)).toMatchObject({ status: 'approved', final_docs: [] });
  await converter.start();
  expect([200, 202]).toContain((await answer).status);
  await until('it is finalized', async () => (await read(id)).status === 'finalized', 60_000);
  expect((await read(id)).finalization).toMatchObject({ state: 'done', code: null });
});

it('keeps an early upload waiting for the converter', async () => {
  await converter.kill();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await textPdf('Waits'))]), 'waits.pdf');
  const { status, body } = await api.send(owner, '/documents/uploads', form);
  expect(status).toBe(201);
  const state = async () =>
    (await api.call(owner, 'GET', `/documents/uploads/${String(body['upload_id'])}`)).body['state'];
  expect(await state()).toBe('checking');
  await converter.start();
  await until('it is read', async () => (await state()) === 'ready', 60_000);
});

it('refuses a form with a file as busy', async () => {
  await converter.kill();
  const form = await draftForm({ save_as_draft: 'true' });
  const { status, body } = await api.send(owner, '/documents/create', form);
  expect({ status, body }).toMatchObject({ status: 503, body: { code: 'files_busy' } });
  await converter.start();
});
