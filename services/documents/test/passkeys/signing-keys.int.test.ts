import { jest } from '@jest/globals';
import { createDb, type Db } from '@karaar/db';
import { statementHash } from '@karaar/proof/approval/approval';
import { userTag } from '@karaar/proof/approval/key-entry';
import { parseCheckpoint, parseNote } from '@karaar/proof/log/note';
import { verifySignedApproval, type SignedApproval } from '@karaar/proof/approval/signed-approval';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import type { Database } from '../../src/db/schema.ts';
import { approvalsOf } from '../../src/features/agreements/approvals/approvals.repository.ts';
import { verifiedSigners } from '../../src/features/transparency-log/signed-approvals.ts';
import { startApi, verificationForm, type Api } from '../api.ts';
import {
  answer,
  approve,
  begin,
  enrol,
  finish,
  KEYS,
  list,
  photoForm,
  SITE,
  state,
  stated,
  type Stated,
} from './signing.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
/** The database with its owner's permissions. */
let insider: Db<Database>;

beforeAll(async () => {
  api = await startApi('documents-signing-keys');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
  insider = createDb<Database>({ url: api.world.ownerUrl, max: 1, applicationName: 'insider' });
});
afterAll(async () => {
  await insider.destroy();
  await api.stop();
});

const db = () => api.service.foundation.db;
const isApproved = async (id: string) => (await approvalsOf(db(), id)).some((row) => !row.withdrawn_at);

describe('adding a key', () => {
  it('requires a face photo that was bound to this act when it was taken', async () => {
    expect((await api.send(owner, `${KEYS}/begin`, await photoForm(api, owner, false))).status).toBe(422);
    const form = await verificationForm({});
    expect((await api.send(owner, `${KEYS}/begin`, form)).status).toBe(422);
    const ofAnother = await photoForm(api, guest);
    expect((await api.send(owner, `${KEYS}/begin`, ofAnother)).status).toBe(422);
    const bound = await photoForm(api, owner);
    api.vision.verdict = 'no_face';
    expect((await api.send(owner, `${KEYS}/begin`, bound)).status).toBe(422);
    api.vision.verdict = 'ok';
    expect((await api.send(owner, `${KEYS}/begin`, bound)).status).toBe(200);
    // A photo counts once.
    expect((await api.send(owner, `${KEYS}/begin`, bound)).status).toBe(422);
    expect(await list(api, owner)).toEqual([]);
  });

  it('accepts the answer once, in time, from the user who asked, and from our own site', async () => {
    const device = new Authenticator();
    for (const change of [{ origin: 'http://localhost:8081' }, { rpId: 'example' }, { challenge: 'AAAA' }])
      expect((await finish(api, owner, await begin(api, owner), device, change)).status).toBe(422);
    const late = await begin(api, owner);
    await sql`UPDATE signing_ceremonies SET expires_at = now() - interval '1 second'`.execute(db());
    expect((await finish(api, owner, late, device)).status).toBe(422);
    const begun = await begin(api, owner);
    expect((await finish(api, stranger, begun, device)).status).toBe(422);
    expect((await finish(api, owner, begun, device)).status).toBe(201);
    expect((await finish(api, owner, begun, device)).status).toBe(422);
    expect((await finish(api, guest, await begin(api, guest), device)).body['code']).toBe(
      'signing_key_known',
    );
    expect((await list(api, owner)).map(({ name }) => name)).toEqual(['Phone']);
  });

  it('and removing one create log entries that contain hashes only', async () => {
    const { keyId } = await enrol(api, stranger);
    expect((await api.call(owner, 'DELETE', `${KEYS}/${keyId}`)).status).toBe(404);
    expect((await api.call(stranger, 'DELETE', `${KEYS}/none`)).status).toBe(404);
    expect((await api.call(stranger, 'DELETE', `${KEYS}/${keyId}`)).status).toBe(200);
    expect(await list(api, stranger)).toEqual([]);
    const entries = async () => {
      const { rows } = await sql<{ data: Buffer }>`SELECT data FROM log_entries ORDER BY index`.execute(db());
      return rows
        .map(({ data }) => data.toString())
        .filter((text) => text.includes(userTag(stranger.userId)));
    };
    await until('both are logged', async () => (await entries()).length === 2);
    const [added, removed] = await entries();
    expect(added).toMatch(/^karaar\/signing-key\/v1\nadded\n[0-9a-f]{64}\n[0-9a-f]{64}\n\S+Z\n$/);
    expect(removed).toMatch(/^karaar\/signing-key\/v1\nremoved\n/);
    expect(added).not.toContain(stranger.userId);
    // The person is notified of both; a refused removal sends nothing.
    const { rows } = await sql<{ data: unknown }>`
      SELECT data FROM outbox WHERE aggregate_id = ${keyId} ORDER BY aggregate_version`.execute(insider);
    expect(rows.map(({ data }) => data)).toEqual([
      { user_id: stranger.userId, action: 'added' },
      { user_id: stranger.userId, action: 'removed' },
    ]);
  });

  it('requires a session', async () => {
    for (const [method, path] of [
      ['GET', KEYS],
      ['POST', `${KEYS}/begin`],
      ['POST', KEYS],
      ['DELETE', `${KEYS}/0190a000-0000-7000-8000-000000000001`],
      ['POST', '/documents/0190a000-0000-7000-8000-000000000001/signing-statement'],
    ] as const)
      expect((await api.call(undefined, method, path, method === 'POST' ? {} : undefined)).status).toBe(401);
  });
});

describe('approving with a key', () => {
  let device: Authenticator;
  let keyId: string;
  beforeAll(async () => {
    ({ device, keyId } = await enrol(api, owner));
  });

  it('stores statement, key and signature with the approval', async () => {
    const { id } = await api.create(owner);
    const ask = await stated(api, owner, id, keyId);
    const signed = answer(device, ask);
    expect((await approve(api, owner, id, signed)).status).toBe(200);
    const [row] = await approvalsOf(db(), id);
    expect(row?.statement).toBe(ask.statement);
    expect(JSON.parse(ask.statement)).toMatchObject({
      version: 3,
      role: 'primary',
      person: { user_id: owner.userId },
      approved_at: row?.approved_at.toISOString(),
    });
    const document = { id, document_code: JSON.parse(ask.statement).document.code as string };
    expect([...(await verifiedSigners({ db: db(), config: { PUBLIC_URL: SITE.origin } }, document))]).toEqual(
      [owner.userId],
    );
  });

  it('is optional: approvals without a key work as before', async () => {
    const { id, code } = await api.create(owner);
    expect((await approve(api, owner, id)).status).toBe(200);
    const [row] = await approvalsOf(db(), id);
    expect(JSON.parse(row?.statement ?? '')).toMatchObject({ version: 2 });
    expect(
      (await verifiedSigners({ db: db(), config: { PUBLIC_URL: SITE.origin } }, { id, document_code: code }))
        .size,
    ).toBe(0);
  });

  it('gives a statement only to parties, and only for their own keys', async () => {
    const { id } = await api.create(owner);
    const other = await enrol(api, guest);
    expect((await state(api, guest, id, other.keyId)).status).toBe(403);
    expect((await state(api, owner, id, other.keyId)).status).toBe(404);
    expect((await state(api, owner, 'none', keyId)).status).toBe(404);
    expect((await state(api, owner, '0190a000-0000-7000-8000-000000000001', keyId)).status).toBe(404);
  });

  it.each<[string, (ask: Stated) => unknown]>([
    ['another key', (ask) => ({ ...answer(new Authenticator(), ask) })],
    [
      'the key by its id and the signature of another',
      (ask) => {
        const forged = answer(new Authenticator(), ask);
        return { ...forged, used: { ...forged.used, id: device.credentialId, rawId: device.credentialId } };
      },
    ],
    ['another page', (ask) => answer(device, ask, { origin: 'http://localhost:8081' })],
    ['another site', (ask) => answer(device, ask, { rpId: 'example' })],
    ['another challenge', (ask) => answer(device, ask, { challenge: 'AAAA' })],
    ['a user who was not recognised', (ask) => answer(device, ask, { flags: 0x01 })],
    ['a user who was not there', (ask) => answer(device, ask, { flags: 0x04 })],
    ['a counter that went back', (ask) => answer(device, ask, { counter: 1 })],
    ['another act', (ask) => answer(device, ask, { type: 'webauthn.create' })],
  ])('does not take %s, and uses the statement up', async (_, forge) => {
    const { id } = await api.create(owner);
    const ask = await stated(api, owner, id, keyId);
    const refused = await approve(api, owner, id, forge(ask));
    expect([refused.status, refused.body['code']]).toEqual([422, 'not_signed']);
    expect((await approve(api, owner, id, answer(device, ask))).status).toBe(422);
    expect(await isApproved(id)).toBe(false);
    expect((await approve(api, owner, id, answer(device, await stated(api, owner, id, keyId)))).status).toBe(
      200,
    );
  });

  it('refuses a statement of another document or person, a used one, and one older than five minutes', async () => {
    const [one, two] = [await api.create(owner), await api.create(owner)];
    await api.call(owner, 'POST', `/documents/${one.id}/add-user`, { target_user_char_id: guest.charId });
    const only = await verificationForm({ approve: 'false' });
    expect((await api.send(guest, `/documents/${one.id}/self-verify-approve`, only)).status).toBe(200);
    const ask = await stated(api, owner, one.id, keyId);
    expect((await approve(api, owner, two.id, answer(device, ask))).status).toBe(422);
    expect((await approve(api, guest, one.id, answer(device, ask))).status).toBe(422);
    expect((await approve(api, guest, two.id, answer(device, ask))).status).toBe(403);
    expect((await approve(api, owner, one.id, answer(device, ask))).status).toBe(200);
    expect((await approve(api, owner, one.id, answer(device, ask))).status).toBe(422);
    const late = await stated(api, owner, two.id, keyId);
    await sql`UPDATE signing_statements SET expires_at = now() - interval '1 second'`.execute(db());
    expect((await approve(api, owner, two.id, answer(device, late))).status).toBe(422);
    expect(await isApproved(two.id)).toBe(false);
  });

  it('refuses a signature for outdated content, and a signature of a removed key', async () => {
    const { id } = await api.create(owner);
    const ask = await stated(api, owner, id, keyId);
    await sql`UPDATE documents SET content_version = content_version + 1 WHERE id = ${id}`.execute(db());
    expect((await approve(api, owner, id, answer(device, ask))).body['code']).toBe('document_changed');
    const second = await enrol(api, owner);
    const gone = await stated(api, owner, id, second.keyId);
    await api.call(owner, 'DELETE', `${KEYS}/${second.keyId}`);
    expect((await approve(api, owner, id, answer(second.device, gone))).status).toBe(422);
    expect(await isApproved(id)).toBe(false);
  });
});

describe('the sealed agreement', () => {
  it('shows how each person approved, its receipt contains the proofs, and a rewritten row is not sealed', async () => {
    const { device, keyId } = await enrol(api, owner);
    const made = async () => {
      const { id, code } = await api.create(owner);
      await api.call(owner, 'POST', '/documents/initiate-agreement', {
        document_id: id,
        target_user_char_id: guest.charId,
      });
      const form = await verificationForm({ response: 'accept' }, true);
      await api.send(guest, `/documents/${id}/respond-agreement`, form);
      expect(
        (await approve(api, owner, id, answer(device, await stated(api, owner, id, keyId)))).status,
      ).toBe(200);
      return { id, code };
    };
    const finalized = async (id: string) => {
      await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
      let last: Record<string, unknown> = {};
      await until(
        'the job has ended',
        async () => {
          const { rows } = await sql<{ state: string; fault_code: string | null }>`
            SELECT state, fault_code FROM finalization_jobs WHERE document_id = ${id}`.execute(db());
          last = rows[0] ?? {};
          return last['state'] === 'done' || last['state'] === 'failed';
        },
        60_000,
      );
      return last;
    };
    const { id, code } = await made();
    expect((await finalized(id))['state']).toBe('done');
    await until(
      'it is logged',
      async () => (await api.call(owner, 'GET', `/documents/${id}/log-proof`)).status === 200,
    );
    const page = await fetch(`${api.url}/documents/${id}/receipt`, { headers: { ...guest.headers } });
    const html = await page.text();
    const data = JSON.parse(/id="receipt">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as {
      place: { checkpoint: string };
      approvals: { name: string; signed?: SignedApproval }[];
    };
    const byName = new Map(data.approvals.map((each) => [each.name, each.signed]));
    expect(byName.get('Vikram Shah')).toBeUndefined();
    const signed = byName.get('Asha Rao');
    if (!signed) throw new Error('the receipt has no signature');
    const tree = parseCheckpoint(parseNote(data.place.checkpoint).body);
    const said = await verifySignedApproval(signed, { ...SITE, code, tree });
    expect([said.person.name, statementHash(signed.statement)]).toEqual(['Asha Rao', expect.any(String)]);

    const rewrite: [string, (documentId: string) => Promise<unknown>][] = [
      [
        'the time',
        (of) =>
          sql`UPDATE approvals SET approved_at = approved_at + interval '1 ms' WHERE document_id = ${of} AND user_id = ${owner.userId}`.execute(
            insider,
          ),
      ],
      [
        'the signature',
        (of) =>
          sql`UPDATE approval_signatures SET signature = set_byte(signature, 10, get_byte(signature, 10) # 1) WHERE approval_id IN (SELECT id FROM approvals WHERE document_id = ${of})`.execute(
            insider,
          ),
      ],
      [
        'the key',
        (of) =>
          sql`UPDATE approval_signatures SET public_key = ${Buffer.from(new Authenticator().publicKey)} WHERE approval_id IN (SELECT id FROM approvals WHERE document_id = ${of})`.execute(
            insider,
          ),
      ],
      [
        'the enrolment',
        (of) =>
          sql`UPDATE approval_signatures SET enrolled_at = '2026-01-01T00:00:00.000Z' WHERE approval_id IN (SELECT id FROM approvals WHERE document_id = ${of})`.execute(
            insider,
          ),
      ],
      [
        'the whole row',
        (of) =>
          sql`DELETE FROM approval_signatures WHERE approval_id IN (SELECT id FROM approvals WHERE document_id = ${of})`.execute(
            insider,
          ),
      ],
    ];
    for (const table of ['approvals', 'approval_signatures'])
      await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(insider);
    for (const [what, change] of rewrite) {
      const other = await made();
      await change(other.id);
      expect([what, await finalized(other.id)]).toEqual([
        what,
        { state: 'failed', fault_code: 'signature_invalid' },
      ]);
    }
  });
});
