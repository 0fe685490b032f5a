/** An approval is always the user's own act, for exactly the content that the user could read. */
import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { approvalStatement, contentHash, type ApprovalStatement } from '@karaar/proof/approval/approval';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { approvalsOf } from '../../src/features/agreements/approvals/approvals.repository.ts';
import { approvedBy } from '../approved.ts';
import { blobsOf, draftForm, startApi, textPdf, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-own-approval');
  annex = await textPdf('The keys are handed over on the first day');
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('विक्रम शाह')];
}, 120_000);
afterAll(() => api.stop());

const get = async (user: WorldUser, id: string) => (await api.call(user, 'GET', `/documents/${id}`)).body;
const hashOf = async (user: WorldUser, id: string) => String((await get(user, id))['content_hash']);
const stateOf = async (id: string, user = guest) =>
  (
    (await get(owner, id))['parties'] as { user_id: string; state: string; reject_reason?: string | null }[]
  ).find((party) => party.user_id === user.userId);
const join = async (code: string, user = guest) =>
  api.send(user, '/documents/join', await verificationForm({ document_code: code }));
const admit = (id: string, user = guest) =>
  api.call(owner, 'PUT', `/documents/${id}/approve-user/${user.userId}`);
const approve = (user: WorldUser, id: string, body?: object) =>
  api.call(user, 'PUT', `/documents/${id}/approve/${user.userId}`, body);
const verify = async (user: WorldUser, id: string, fields: Record<string, string> = {}) =>
  api.send(user, `/documents/${id}/self-verify-approve`, await verificationForm(fields));
const reject = (user: WorldUser, id: string, reason?: string) =>
  api.call(user, 'POST', `/documents/${id}/respond-agreement`, { response: 'reject', reason });
const invite = (id: string, user = guest) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: user.charId });
const events = async (id: string) =>
  listIn<{ type: string; detail: string; reason?: string; actor_id: string; subject_id: string | null }>(
    (await api.call(owner, 'GET', `/documents/${id}/events`)).body,
  );
const approvals = (id: string) => approvalsOf(api.service.foundation.db, id);
const textsTo = async (user: WorldUser, count: number) => {
  const row = await api.service.foundation.db
    .selectFrom('directory')
    .select('phone_no')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow();
  await until(`${count} texts`, () => api.sms.to(row.phone_no).length >= count, 15_000);
  return api.sms.to(row.phone_no).map(({ text }) => text);
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
type RawFile = { name: string; path: string; preview: string };
let annex: Uint8Array;

async function admitted(user = guest): Promise<string> {
  const { id, code } = await api.create(owner);
  expect((await join(code, user)).status).toBe(202);
  expect((await admit(id, user)).status).toBe(200);
  return id;
}

describe('an admission', () => {
  it('[DOC-077] [DOC-113] by approval or by invitation does not approve, is recorded in the history and sends an SMS', async () => {
    for (const let_in of [admit, invite]) {
      const kiran = await api.world.addUser('Kiran Das');
      const { id, code } = await api.create(owner);
      await join(code, kiran);
      expect((await approve(owner, id)).body['status']).toBe('approved');
      for (let time = 0; time < 2; time += 1) expect((await let_in(id, kiran)).status).toBe(200);
      expect((await stateOf(id, kiran))?.state).toBe('admitted');
      expect((await get(kiran, id))['status']).toBe('pending_approval');
      expect((await events(id)).map(({ type }) => type)).toEqual([
        'document.created',
        'party.requested',
        'document.approved',
        'party.joined',
      ]);
      expect((await events(id)).at(-1)).toMatchObject({
        actor_id: owner.userId,
        subject_id: kiran.userId,
        detail: 'Admitted Kiran Das',
      });
      expect(await textsTo(kiran, 1)).toEqual([
        expect.stringMatching(/^Karaar: the user with the ID \w{8} has let you join/),
      ]);
      expect((await approvals(id)).map(({ user_id }) => user_id)).toEqual([owner.userId]);
    }
  });

  it('is followed by the user’s own approval, with the time and content of that act', async () => {
    const id = await admitted();
    await approve(owner, id);
    expect((await approve(guest, id, { content_hash: await hashOf(guest, id) })).body['status']).toBe(
      'approved',
    );
    const [first, second] = await approvals(id);
    expect(first?.user_id).toBe(owner.userId);
    expect(second).toMatchObject({ user_id: guest.userId, withdrawn_at: null });
    const said = JSON.parse(String(second?.statement)) as ApprovalStatement;
    const [file] = (await get(guest, id))['raw_files'] as { preview_sha256: string }[];
    expect(said).toMatchObject({
      type: 'karaar.approval',
      version: 2,
      document: { id, version: 1 },
      files: [
        {
          name: 'rent.pdf',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          pages_sha256: String(file?.preview_sha256),
        },
      ],
      terms: { name: 'Rent agreement', location: 'Pune', start_date: '2026-03-01', end_date: '2026-03-07' },
      role: 'party',
      person: { user_id: guest.userId, char_id: guest.charId, name: 'विक्रम शाह' },
    });
    expect(approvalStatement(said)).toBe(second?.statement);
    const shown = (await get(guest, id))['user_approvals'] as Record<string, { approved_at: string }>;
    expect(said.approved_at).toBe(shown[guest.userId]?.approved_at);
    expect(second?.approved_at.toISOString()).toBe(said.approved_at);
    expect(said.approved_at > String(first?.approved_at.toISOString())).toBe(true);
    expect((await events(id)).at(-1)).toMatchObject({ type: 'party.approved', actor_id: guest.userId });
    // Once all parties have approved, a repeated approval is refused and changes nothing.
    expect(await approve(guest, id)).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect(await approvals(id)).toHaveLength(2);
  });

  it('can be followed by a refusal with a reason, which only involved users can read', async () => {
    const id = await admitted();
    expect((await reject(guest, id, 'x'.repeat(501))).status).toBe(422);
    expect((await reject(guest, id, '  The rent is\u202e too high. \n')).status).toBe(200);
    for (const user of [owner, guest]) {
      const { parties, status } = await get(user, id);
      expect(status).toBe('rejected');
      expect(parties).toContainEqual(
        expect.objectContaining({ user_id: guest.userId, reject_reason: 'The rent is too high.' }),
      );
    }
    const line = (await events(id)).at(-1);
    expect(line).toMatchObject({
      type: 'party.rejected',
      detail: 'Rejected the agreement',
      reason: 'The rent is too high.',
    });
    const stranger = await api.world.addUser('Meera Nair');
    expect(JSON.stringify(await get(stranger, id))).not.toContain('too high');
    expect((await reject(guest, id)).status).toBe(409);
    expect((await admit(id)).status).toBe(409);
    await invite(id);
    expect(await stateOf(id)).toMatchObject({ state: 'invited' });
    expect(await stateOf(id)).not.toHaveProperty('reject_reason');
  });

  it('can be followed by a refusal whose reason is longer in NFC than as it was typed', async () => {
    const id = await admitted();
    const reason = '\u0958'.repeat(500);
    expect((await reject(guest, id, reason)).status).toBe(200);
    expect((await events(id)).at(-1)).toMatchObject({ reason: reason.normalize('NFC') });
  });

  it('allows the creator to remind the admitted user', async () => {
    const ravi = await api.world.addUser('Ravi Menon');
    const id = await admitted(ravi);
    const remind = () => api.call(owner, 'POST', `/documents/${id}/remind/${ravi.userId}`);
    expect((await remind()).status).toBe(200);
    await approve(ravi, id);
    expect(await remind()).toMatchObject({ status: 409, body: { code: 'nothing_to_answer' } });
  });
});

describe('the content that was read', () => {
  it('[DOC-116] is stored with each approval: the SHA-256 of each file that the party could open, and of its pages', async () => {
    const { id } = await api.create(owner, (form) =>
      form.append('raw_documents', new Blob([new Uint8Array(annex)]), 'annex.pdf'),
    );
    await invite(id);
    const digestOf = async (link: string) => {
      const answer = await fetch(`${api.url}${link.replace('/api', '')}`);
      expect(answer.status).toBe(200);
      return sha256(Buffer.from(await answer.arrayBuffer()));
    };
    const files: { name: string; sha256: string; pages_sha256: string }[] = [];
    for (const { name, path, preview } of (await get(guest, id))['raw_files'] as RawFile[])
      files.push({ name, sha256: await digestOf(path), pages_sha256: await digestOf(preview) });
    expect(files.map(({ name }) => name)).toEqual(['rent.pdf', 'annex.pdf']);
    expect(files[1]?.sha256).toBe(sha256(annex));
    const acceptance = await verificationForm({ response: 'accept' }, true);
    expect((await api.send(guest, `/documents/${id}/respond-agreement`, acceptance)).status).toBe(200);
    expect((await approve(owner, id)).body['status']).toBe('approved');
    const stated = (await approvals(id)).map(({ user_id, statement }) => {
      const said = JSON.parse(String(statement)) as ApprovalStatement;
      return [
        user_id,
        said.files.map(({ name, ...file }) => ({
          name,
          sha256: file.sha256,
          pages_sha256: file.pages_sha256,
        })),
      ];
    });
    expect(stated).toEqual([
      [guest.userId, files],
      [owner.userId, files],
    ]);
    const whole = sha256(Buffer.from(files.map((file, at) => `${at}:${file.sha256}\n`).join('')));
    const parties = await api.service.foundation.db
      .selectFrom('parties')
      .select('approved_files_sha256')
      .where('document_id', '=', id)
      .execute();
    expect(parties.map(({ approved_files_sha256 }) => approved_files_sha256)).toEqual([whole, whole]);
  });

  it('has one hash for all readers, whatever the parties do, and another one after a draft was edited', async () => {
    const id = await admitted();
    const hash = await hashOf(owner, id);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    await approve(guest, id);
    await reject(guest, id);
    expect([await hashOf(owner, id), await hashOf(guest, id)]).toEqual([hash, hash]);
    const { raw_files, name, description, location, start_date, end_date, page_details, document_code } =
      (await get(owner, id)) as Parameters<typeof contentHash>[0]['terms'] & {
        raw_files: { name: string; sha256: string; size: number; preview_sha256: string | null }[];
        document_code: string;
      };
    const terms = { name, description, location, start_date, end_date, page_details };
    // Any reader of the response can compute the hash.
    expect(
      contentHash({
        document: { id, code: document_code, version: 1 },
        files: raw_files.map(({ name: called, sha256, size, preview_sha256 }) => ({
          name: called,
          sha256,
          bytes: size,
          pages_sha256: preview_sha256,
        })),
        terms,
      }),
    ).toBe(hash);

    const saved = await api.send(owner, '/documents/create', await draftForm({ save_as_draft: 'true' }));
    const draft = String(saved.body['document_id']);
    const before = await hashOf(owner, draft);
    const edited = await api.send(owner, `/documents/${draft}`, await draftForm(), 'PUT');
    expect(edited.body['content_hash']).not.toBe(before);
    const lists = await api.call(owner, 'GET', '/documents/my-documents');
    expect(listIn<object>(lists.body)[0]).not.toHaveProperty('content_hash');
  });

  it('must be the current content, on every route that approves; otherwise nothing is stored', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    const [right, other] = [await hashOf(owner, id), 'a'.repeat(64)];
    const changed = {
      status: 409,
      body: { code: 'document_changed', detail: 'The document has changed: read it again.' },
    };
    const accept = async (content_hash: string) =>
      api.send(
        guest,
        `/documents/${id}/respond-agreement`,
        await verificationForm({ response: 'accept', content_hash }, true),
      );
    expect(await accept(other)).toMatchObject(changed);
    expect(await verify(guest, id, { content_hash: other })).toMatchObject(changed);
    expect(await approve(owner, id, { content_hash: other })).toMatchObject(changed);
    expect((await approve(owner, id, { content_hash: right.toUpperCase() })).status).toBe(422);
    expect(await approvals(id)).toEqual([]);
    const images = await api.service.foundation.db
      .selectFrom('verifications')
      .select('user_id')
      .where('document_id', '=', id)
      .execute();
    expect(images).toEqual([{ user_id: owner.userId }]);
    // A user without the right to approve gets the same 403 with any hash.
    const stranger = await api.world.addUser('Meera Nair');
    expect((await verify(stranger, id, { content_hash: other })).status).toBe(403);
    expect((await accept(right)).status).toBe(200);
    expect((await approve(owner, id, { content_hash: right })).body['status']).toBe('approved');
    expect((await approvals(id)).map(({ content_hash }) => content_hash)).toEqual([right, right]);
  });

  it('must include the current parties, on every route that approves', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    const partiesOf = async (user: WorldUser) => String((await get(user, id))['parties_hash']);
    const shown = await partiesOf(guest);
    expect(await partiesOf(owner)).toBe(shown);
    const third = await api.world.addUser('Meera Nair');
    await invite(id, third);
    const changed = { status: 409, body: { code: 'parties_changed' } };
    const accept = async (parties_hash: string) =>
      api.send(
        guest,
        `/documents/${id}/respond-agreement`,
        await verificationForm({ response: 'accept', parties_hash }, true),
      );
    expect(await accept(shown)).toMatchObject(changed);
    expect(await verify(guest, id, { parties_hash: shown })).toMatchObject(changed);
    expect(await approve(owner, id, { parties_hash: shown })).toMatchObject(changed);
    expect(await approvals(id)).toEqual([]);
    const withThree = await partiesOf(guest);
    expect((await accept(withThree)).status).toBe(200);
    // Neither an answer nor a request to join changes the set of parties.
    const { document_code } = await get(owner, id);
    await join(String(document_code), await api.world.addUser('Kiran Das'));
    expect((await approve(owner, id, { parties_hash: withThree })).status).toBe(200);
    await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${third.userId}`);
    expect(await partiesOf(owner)).toBe(shown);
    expect(await verify(guest, id, { parties_hash: withThree })).toMatchObject(changed);
    expect((await verify(guest, id, { parties_hash: shown })).status).toBe(200);
  });

  it('[FINAL-017] is what gets sealed: a document whose terms differ from an approval is not finalized', async () => {
    const id = await approvedBy(api, owner, guest);
    const { db } = api.service.foundation;
    await db.updateTable('documents').set({ description: 'Three rooms' }).where('id', '=', id).execute();
    await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
    await until('it has failed', async () => {
      const { finalization } = (await get(owner, id)) as { finalization?: { state: string } | null };
      return finalization?.state === 'failed';
    });
    expect(await get(owner, id)).toMatchObject({
      status: 'approved',
      finalization: { code: 'content_changed' },
    });
  });

  it('stays recorded unchanged', async () => {
    const id = await approvedBy(api, owner, guest);
    const { db } = api.service.foundation;
    for (const set of [{ content_hash: 'b'.repeat(64) }, { statement: '{}' }])
      await expect(
        db
          .updateTable('approvals')
          // The service's types forbid changing these columns.
          .set(set as never)
          .where('document_id', '=', id)
          .execute(),
      ).rejects.toThrow('permission denied');
    await expect(api.world.asOwner(`UPDATE approvals SET statement = '{}'`)).rejects.toThrow('never changed');
  });
});

describe('a new verification', () => {
  it('withdraws the user’s approval, approves again and erases the earlier images', async () => {
    const id = await approvedBy(api, owner, guest);
    const pathsOf = () =>
      api.service.foundation.db
        .selectFrom('verifications')
        .select(['profile_pic', 'eye', 'sign', 'thumb'])
        .where('document_id', '=', id)
        .where('user_id', '=', guest.userId)
        .executeTakeFirstOrThrow();
    const before = await pathsOf();
    expect((await verify(guest, id)).body['message']).toBe('You are verified and have approved.');
    expect((await get(owner, id))['status']).toBe('approved');
    expect(Object.values(await pathsOf())).not.toContain(before.profile_pic);
    const gone = () =>
      blobsOf(api)
        .read(before.sign)
        .then(
          () => false,
          () => true,
        );
    await until('the images of before are erased', gone, 15_000);
    const mine = (await approvals(id)).filter(({ user_id }) => user_id === guest.userId);
    expect(mine.map(({ withdrawn_at }) => withdrawn_at === null)).toEqual([false, true]);
    expect(mine[1]?.approved_at.getTime()).toBeGreaterThan(mine[0]?.approved_at.getTime() ?? Infinity);
    expect((await events(id)).at(-1)).toMatchObject({
      type: 'party.approved',
      detail: expect.stringMatching(/^Withdrew the earlier approval and approved again/),
    });
  });

  it('happens once if it is requested twice with one key, as after a lost response', async () => {
    const { id } = await api.create(owner);
    const keyed = { ...owner, headers: { ...owner.headers, 'idempotency-key': `verify-${id}` } };
    const form = await verificationForm();
    const answers = [];
    for (let time = 0; time < 2; time += 1)
      answers.push(await api.send(keyed, `/documents/${id}/self-verify-approve`, form));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]).toEqual(answers[0]);
    expect(await approvals(id)).toHaveLength(1);
  });

  it('without approval makes the document wait; the user can approve later without images', async () => {
    const id = await approvedBy(api, owner, guest);
    expect((await verify(guest, id, { approve: 'false' })).body['message']).toBe(
      'You are verified. Approve the document when you have read it.',
    );
    expect(await stateOf(id)).toMatchObject({ state: 'admitted', approved: false });
    expect((await get(owner, id))['status']).toBe('pending_approval');
    expect((await events(id)).at(-1)).toMatchObject({ type: 'party.verified' });
    expect((await get(guest, id))['parties']).toMatchObject([{}, { approve_again: 'verified_again' }]);
    expect((await approve(guest, id)).body['status']).toBe('approved');
    expect((await verify(owner, id, { approve: 'false' })).status).toBe(200);
    expect((await get(owner, id))['status']).toBe('pending');
    expect((await verify(owner, id)).status).toBe(200);
    expect((await get(owner, id))['status']).toBe('approved');
  });

  it('without approval leaves an invited user’s invitation unanswered', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    await verify(guest, id, { approve: 'false' });
    const waiting = await api.call(guest, 'GET', '/documents/pending-agreements');
    expect(listIn<{ document_id: string }>(waiting.body).map((one) => one.document_id)).toContain(id);
    expect((await approve(guest, id)).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ state: 'approved' });
  });
});
