import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { documentForm, draftForm, startApi, verificationForm, type Answer, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-drafts');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('विक्रम शाह');
}, 120_000);
afterAll(() => api.stop());

const get = (user: WorldUser, id: string) => api.call(user, 'GET', `/documents/${id}`);
const invite = (id: string) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
const withHeaders = (user: WorldUser, headers: Record<string, string>) => ({
  ...user,
  headers: Object.assign(headers, user.headers),
});
const keyed = (user: WorldUser, path: string, form: FormData, key: string): Promise<Answer> =>
  api.send(withHeaders(user, { 'idempotency-key': key }), path, form);
const listOf = async (user: WorldUser, query = '') =>
  listIn<{
    document_id: string;
    name: string;
    document_code: string;
    status: string;
  }>((await api.call(user, 'GET', `/documents/my-documents${query}`)).body);
const countsOf = async (user: WorldUser) =>
  (await api.call(user, 'GET', '/documents/my-documents/counts')).body;

/** Saves a draft with a name and a target only: no file, no images. */
async function saveDraft(fields: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  const all = { name: 'Shop lease', target_user_char_id: guest.charId.toLowerCase(), ...fields };
  for (const [name, value] of Object.entries({ save_as_draft: 'true', ...all })) form.append(name, value);
  const { status, body } = await api.send(owner, '/documents/create', form);
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body['document_id']);
}

describe('a draft', () => {
  it('[DOC-097] [DOC-098] requires no images or files, stores its fields, and is visible to its owner only', async () => {
    const id = await saveDraft();
    const { body } = await get(owner, id);
    expect(body).toMatchObject({
      status: 'draft',
      name: 'Shop lease',
      target_user_char_id: guest.charId,
      upload_raw_docs: [],
    });
    for (const [method, path, form] of [
      ['GET', `/documents/${id}`],
      ['GET', `/documents/${id}/events`],
      ['GET', `/documents/${id}/final-pdf`],
      ['DELETE', `/documents/${id}`],
      ['PUT', `/documents/${id}/approve/${guest.userId}`],
      ['POST', `/documents/${id}/remind/${guest.userId}`],
      ['PUT', `/documents/${id}`, await draftForm()],
      ['POST', `/documents/${id}/submit`, await verificationForm()],
      ['POST', `/documents/${id}/self-verify-approve`, await verificationForm()],
      ['POST', `/documents/${id}/respond-agreement`, await verificationForm({ response: 'reject' })],
      ['PATCH', `/documents/${id}/finalize`, new FormData()],
    ] as const) {
      const answer = form ? await api.send(guest, path, form, method) : await api.call(guest, method, path);
      expect({ path, method, status: answer.status }).toEqual({ path, method, status: 404 });
    }
    const join = await verificationForm({ document_code: String(body['document_code']) });
    expect((await api.send(guest, '/documents/join', join)).status).toBe(404);
    expect((await listOf(owner)).map((document) => document.document_id)).toContain(id);
    expect((await listOf(guest)).map((document) => document.document_id)).not.toContain(id);
  });

  it('can be edited: details change, and files are added and removed by their id', async () => {
    const id = await saveDraft();
    const form = await draftForm({ name: 'Shop lease 2', target_user_char_id: '' });
    const first = await api.send(owner, `/documents/${id}`, form, 'PUT');
    expect(first.body).toMatchObject({ name: 'Shop lease 2', location: 'Pune', target_user_char_id: '' });
    const [file] = first.body['raw_files'] as { file_id: string; pages: number }[];
    expect(file?.pages).toBe(1);
    const again = await api.send(
      owner,
      `/documents/${id}`,
      await draftForm({ keep_files: JSON.stringify([file?.file_id]) }),
      'PUT',
    );
    expect(again.body['raw_files']).toHaveLength(2);
    const none = new FormData();
    none.append('name', 'Shop lease');
    none.append('keep_files', '[]');
    expect((await api.send(owner, `/documents/${id}`, none, 'PUT')).body['raw_files']).toEqual([]);
    none.set('keep_files', '{}');
    expect((await api.send(owner, `/documents/${id}`, none, 'PUT')).status).toBe(422);
  });

  it('is saved once by a request that is repeated after a lost answer', async () => {
    const id = await saveDraft();
    const save = async () =>
      api.send(
        withHeaders(owner, { 'idempotency-key': `save-${id}`, 'if-match': '"1"' }),
        `/documents/${id}`,
        await draftForm({ name: 'Saved once' }),
        'PUT',
      );
    const answers = [await save(), await save()];
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { name: 'Saved once', content_version: 2 },
      });
      expect(body['raw_files']).toHaveLength(1);
    }
    expect(
      (await keyed(owner, `/documents/${id}/submit`, await verificationForm(), `save-${id}`)).body,
    ).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('is not changed by a window that does not know its latest content, and loses no file by it', async () => {
    const id = await saveDraft();
    const version = async () => Number((await get(owner, id)).body['content_version']);
    const save = async (known: number, fields: Record<string, string>, file?: null) =>
      api.send(
        withHeaders(owner, { 'if-match': `"${known}"` }),
        `/documents/${id}`,
        await draftForm(fields, file),
        'PUT',
      );
    const known = await version();
    expect((await save(known, { name: 'From one window' })).status).toBe(200);
    const late = await save(known, { name: 'From another window', keep_files: '[]' }, null);
    expect(late).toMatchObject({ status: 412, body: { code: 'draft_changed' } });
    const { body } = await get(owner, id);
    expect(body).toMatchObject({ name: 'From one window' });
    expect(body['raw_files']).toHaveLength(1);
    const latest = await version();
    const answers = await Promise.all(
      [1, 2, 3].map((each) => save(latest, { name: `At once ${each}` }, null)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  it('[DOC-099] is submitted once, with live images and files, and becomes pending', async () => {
    const id = await saveDraft();
    const submit = async () => api.send(owner, `/documents/${id}/submit`, await verificationForm());
    expect((await submit()).body['detail']).toEqual([
      { loc: 'raw_documents', msg: 'Please upload at least one document' },
    ]);
    expect((await invite(id)).body['code']).toBe('still_draft');
    await api.send(owner, `/documents/${id}`, await draftForm(), 'PUT');
    const answers = await Promise.all([submit(), submit(), submit()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    const { body } = await get(owner, id);
    expect(body).toMatchObject({ status: 'pending' });
    expect(body).not.toHaveProperty('target_user_char_id');
    expect((await invite(id)).status).toBe(200);
    expect((await api.send(owner, `/documents/${id}`, await draftForm(), 'PUT')).status).toBe(409);
    expect((await api.call(owner, 'DELETE', `/documents/${id}`)).status).toBe(409);
    const events = listIn<object>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(events[0]).toMatchObject({
      type: 'document.created',
      status_from: 'draft',
      status_to: 'pending',
      from_address: '127.0.0.0/24',
      files_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is deleted with its files', async () => {
    const id = await saveDraft();
    const filled = await api.send(owner, `/documents/${id}`, await draftForm(), 'PUT');
    const [path] = filled.body['upload_raw_docs'] as string[];
    expect((await fetch(`${api.url}${path?.replace('/api', '')}`)).status).toBe(200);
    expect((await api.call(owner, 'DELETE', `/documents/${id}`)).status).toBe(200);
    expect((await get(owner, id)).status).toBe(404);
    expect((await fetch(`${api.url}${path?.replace('/api', '')}`)).status).toBe(403);
  });
});

describe('Idempotency-Key', () => {
  it('creates one document for concurrent requests with the same key, and every response names it', async () => {
    const before = (await listOf(owner, '?limit=200')).length;
    const form = await documentForm();
    const answers = await Promise.all(
      [1, 2, 3].map(() => keyed(owner, '/documents/create', form, 'k-create')),
    );
    answers.push(await keyed(owner, '/documents/create', form, 'k-create'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await listOf(owner, '?limit=200')).toHaveLength(before + 1);
    const other = await keyed(owner, '/documents/create', await documentForm({ name: 'Other' }), 'k-create');
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    // Keys belong to users: another user can use the same text.
    expect((await keyed(guest, '/documents/create', form, 'k-create')).status).toBe(201);
  });

  it('stays usable after a refused request', async () => {
    const form = await documentForm();
    api.vision.verdict = 'no_face';
    expect((await keyed(owner, '/documents/create', form, 'k-later')).status).toBe(422);
    api.vision.verdict = 'ok';
    expect((await keyed(owner, '/documents/create', form, 'k-later')).status).toBe(201);
  });

  it('returns the first response to a repeated join or answer, not 409', async () => {
    const { id, code } = await api.create(owner);
    const joiner = await api.world.addUser('Meera Nair');
    const join = await verificationForm({ document_code: code });
    const joined = await Promise.all([1, 2].map(() => keyed(joiner, '/documents/join', join, 'k-join')));
    expect(joined.map((answer) => answer.status)).toEqual([202, 202]);
    expect(joined[0]).toEqual(joined[1]);
    await invite(id);
    const accept = await verificationForm({ response: 'accept' }, true);
    const path = `/documents/${id}/respond-agreement`;
    const accepted = await Promise.all([1, 2].map(() => keyed(guest, path, accept, 'k-answer')));
    expect(accepted.map((answer) => answer.status)).toEqual([200, 200]);
    const reject = new FormData();
    reject.append('response', 'reject');
    expect((await keyed(guest, path, reject, 'k-answer')).status).toBe(409);
    const events = listIn<{
      type: string;
    }>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(events.map((event) => event.type)).toEqual([
      'document.created',
      'party.requested',
      'party.invited',
      'party.accepted',
    ]);
  });
});

describe('the list of my documents', () => {
  it('[DASH-005] can be searched, filtered, sorted, paged and counted', async () => {
    const reader = await api.world.addUser('Nila Iyer');
    const names = ['Delta', 'alpha', 'Charlie 100%', 'bravo'];
    const ids: string[] = [];
    for (const name of names) {
      const { id } = await api.create(reader, (form) => form.set('name', name));
      ids.push(id);
    }
    await api.call(reader, 'PUT', `/documents/${ids[1]}/approve/${reader.userId}`);
    await api.call(reader, 'POST', `/documents/${ids[0]}/add-user`, { target_user_char_id: guest.charId });
    const namesOf = async (query: string) => (await listOf(reader, query)).map((document) => document.name);

    expect(await namesOf('')).toEqual([...names].reverse());
    expect(await namesOf('?sort=oldest')).toEqual(names);
    expect(await namesOf('?sort=name')).toEqual(['alpha', 'bravo', 'Charlie 100%', 'Delta']);
    expect(await namesOf('?sort=-name&limit=2')).toEqual(['Delta', 'Charlie 100%']);
    expect((await namesOf('?sort=changed')).slice(0, 2)).toEqual(['Delta', 'alpha']);
    expect(await namesOf('?status=approved')).toEqual(['alpha']);
    expect(await namesOf('?search=LPH')).toEqual(['alpha']);
    expect(await namesOf(`?search=${encodeURIComponent('0%')}`)).toEqual(['Charlie 100%']);
    expect(await namesOf(`?search=${encodeURIComponent('विक्रम')}`)).toEqual(['Delta']);
    expect(await namesOf('?search=pune%20bra')).toEqual(['bravo']);
    const code = (await listOf(reader, '?search=LPH'))[0]?.document_code ?? '';
    const [head, tail] = [code.slice(0, 4), code.slice(4)];
    const typed = [`${head} ${tail}`, `${head}.${tail}`, `${head}\u200b${tail}\n`, code.replaceAll('0', 'o')];
    for (const search of [code.toLowerCase(), ...typed])
      expect([search, await namesOf(`?search=${encodeURIComponent(search)}`)]).toEqual([search, ['alpha']]);

    // With many parties, the end of the searched text is not in the index, but the search finds it.
    await sql`
      UPDATE my_documents SET search = search || repeat(' anand', 100) || ' zubin' WHERE document_id = ${ids[3]}`.execute(
      api.service.foundation.db,
    );
    expect(await namesOf('?search=zubin%20bra')).toEqual(['bravo']);
    expect(await namesOf('?search=zubin%20alpha')).toEqual([]);
    for (const search of ['', 'a', 'pune']) {
      for (const sort of ['newest', 'oldest', 'changed', 'name', '-name']) {
        const paged: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const query: string = `?sort=${sort}&search=${search}&limit=1&cursor=${cursor}`;
          const { body } = await api.call(reader, 'GET', `/documents/my-documents/page${query}`);
          paged.push(...(body['items'] as { name: string }[]).map((document) => document.name));
          cursor = body['next_cursor'] as string | null;
        }
        expect(paged).toEqual(await namesOf(`?sort=${sort}`));
      }
    }
    const bad = await api.call(reader, 'GET', '/documents/my-documents?sort=name&cursor=nonsense');
    expect(bad.status).toBe(400);
    expect(await countsOf(reader)).toEqual({
      total: 4,
      archived: 0,
      draft: 0,
      pending: 3,
      pending_approval: 0,
      approved: 1,
      finalized: 0,
      rejected: 0,
      pending_agreements: 0,
    });
    expect((await countsOf(guest))['pending_agreements']).toBeGreaterThan(0);
  });
});
