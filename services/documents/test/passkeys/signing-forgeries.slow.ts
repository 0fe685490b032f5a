/**
 * Forged approval signatures, sent to the service or written into the database by an insider: none counts as
 * an approval.
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { createDb, type Db } from '@karaar/db';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import { forgeriesOf, otherStatements, type Forgery } from '@karaar/proof/testing/forgeries';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import type { Database } from '../../src/db/schema.ts';
import { approvalsOf } from '../../src/features/agreements/approvals/approvals.repository.ts';
import { verifiedSigners } from '../../src/features/transparency-log/signed-approvals.ts';
import { startApi, type Api } from '../api.ts';
import { answer, approve, enrol, SITE, stated, type Stated } from './signing.ts';

jest.setTimeout(300_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let device: Authenticator;
let keyId: string;
/** The database with its owner's permissions. */
let insider: Db<Database>;
const thief = new Authenticator();

beforeAll(async () => {
  api = await startApi('documents-signing-forgeries');
  insider = createDb<Database>({ url: api.world.ownerUrl, max: 1, applicationName: 'insider' });
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  ({ device, keyId } = await enrol(api, owner));
});
afterAll(async () => {
  await insider.destroy();
  await api.stop();
});

const isApproved = async (id: string): Promise<boolean> =>
  (await approvalsOf(api.service.foundation.db, id)).some((row) => !row.withdrawn_at);
const forged = (ask: Stated, { forge }: Forgery) => ({
  statement_id: ask.statement_id,
  used: {
    ...device.answer({ ...SITE, challenge: ask.use.challenge }),
    response: forge({ statement: ask.statement, device, thief, site: SITE }),
  },
});

it('refuses at least 500 forged answers, each to its own statement', async () => {
  const documents = await Promise.all(Array.from({ length: 4 }, () => api.create(owner)));
  const [{ id: firstId } = { id: '' }] = documents;
  const count = forgeriesOf((await stated(api, owner, firstId, keyId)).statement).length;
  expect(count).toBeGreaterThanOrEqual(500);
  const taken: string[] = [];
  let next = 0;
  // Several forgeries run concurrently, because each waits for the database.
  await Promise.all(
    documents.map(async ({ id }) => {
      for (let i = next++; i < count; i = next++) {
        const ask = await stated(api, owner, id, keyId);
        const [forgery] = forgeriesOf(ask.statement).slice(i);
        if (!forgery) throw new Error('this statement has fewer forgeries');
        const { status } = await approve(api, owner, id, forged(ask, forgery));
        if (status !== 422 && status !== 400) taken.push(`${forgery.what}: ${status}`);
      }
    }),
  );
  expect(taken).toEqual([]);
  for (const { id } of documents) {
    expect(await isApproved(id)).toBe(false);
    // The genuine answers of the same device are accepted.
    const ask = await stated(api, owner, id, keyId);
    expect((await approve(api, owner, id, answer(device, ask))).status).toBe(200);
  }
});

it('refuses a counter that does not increase, another passkey under its id, and statements of other users or documents', async () => {
  const { id } = await api.create(owner);
  const { id: otherId } = await api.create(owner);
  const others = await enrol(api, guest);
  const ofGuest = await api.create(guest);
  const taken: string[] = [];
  const attempt = async (what: string, of: WorldUser, documentId: string, signed: unknown) => {
    const { status } = await approve(api, of, documentId, signed);
    if (status < 400) taken.push(what);
  };
  const before = await api.create(owner);
  await approve(api, owner, before.id, answer(device, await stated(api, owner, before.id, keyId)));
  const last = device.counter;
  for (const counter of [0, 1, last - 1, last])
    await attempt(
      `counter ${counter}`,
      owner,
      id,
      answer(device, await stated(api, owner, id, keyId), { counter }),
    );
  for (const change of [
    { id: thief.credentialId, rawId: thief.credentialId },
    { id: thief.credentialId },
    { rawId: thief.credentialId },
    { id: others.device.credentialId, rawId: others.device.credentialId },
  ]) {
    const signed = answer(device, await stated(api, owner, id, keyId));
    await attempt('another id', owner, id, { ...signed, used: { ...signed.used, ...change } });
  }
  const mine = await stated(api, owner, id, keyId);
  await attempt('for another document', owner, otherId, answer(device, mine));
  await attempt('by another person', guest, id, answer(device, await stated(api, owner, id, keyId)));
  await attempt(
    "with another person's key",
    owner,
    id,
    answer(others.device, await stated(api, owner, id, keyId)),
  );
  const theirs = await stated(api, guest, ofGuest.id, others.keyId);
  await attempt("another person's statement", owner, ofGuest.id, answer(others.device, theirs));
  const unknown = { ...(await stated(api, owner, id, keyId)), statement_id: randomUUID() };
  await attempt('no such statement', owner, id, answer(device, unknown));
  expect(taken).toEqual([]);
  expect([await isApproved(id), await isApproved(otherId), await isApproved(ofGuest.id)]).toEqual([
    false,
    false,
    false,
  ]);
});

it('refuses to seal an approval whose row an insider has rewritten', async () => {
  const { id, code } = await api.create(owner);
  await approve(api, owner, id, answer(device, await stated(api, owner, id, keyId)));
  const db = api.service.foundation.db;
  const signers = () =>
    verifiedSigners({ db, config: { PUBLIC_URL: SITE.origin } }, { id, document_code: code }).then(
      (found) => [...found],
      (error: unknown) => {
        if (error instanceof RangeError) return 'refused' as const;
        throw error;
      },
    );
  expect(await signers()).toEqual([owner.userId]);
  for (const table of ['approvals', 'approval_signatures'])
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(insider);
  const [approval] = await insider
    .selectFrom('approvals')
    .selectAll()
    .where('document_id', '=', id)
    .execute();
  if (!approval?.statement) throw new Error('no approval');
  const signature = await insider
    .selectFrom('approval_signatures')
    .selectAll()
    .where('approval_id', '=', approval.id)
    .executeTakeFirstOrThrow();
  const flipped = (bytes: Buffer) =>
    Array.from(bytes, (_, at) => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))));
  const later = (ms: number) => new Date(approval.approved_at.getTime() + ms);
  const rewrites = [
    ...(['public_key', 'client_data', 'authenticator_data', 'signature'] as const).flatMap((column) =>
      [...flipped(signature[column]), Buffer.from(thief.publicKey), Buffer.alloc(0)].map((bytes) => ({
        table: 'approval_signatures' as const,
        change: { [column]: bytes },
      })),
    ),
    ...[0, 1, 1_000_000].map((enrolled_index) => ({
      table: 'approval_signatures' as const,
      change: { enrolled_index: signature.enrolled_index + enrolled_index + 1 },
    })),
    ...['2026-01-01T00:00:00.000Z', '', later(60_000).toISOString()].map((enrolled_at) => ({
      table: 'approval_signatures' as const,
      change: { enrolled_at },
    })),
    ...otherStatements(approval.statement).map(({ statement }) => ({
      table: 'approvals' as const,
      change: { statement },
    })),
    ...[1, -1, 3_600_000].map((ms) => ({
      table: 'approvals' as const,
      change: { approved_at: later(ms) },
    })),
    { table: 'approvals' as const, change: { user_id: guest.userId } },
    { table: 'approvals' as const, change: { content_hash: 'f'.repeat(64) } },
  ];
  const standing: string[] = [];
  for (const { table, change } of rewrites) {
    const key = table === 'approvals' ? 'id' : 'approval_id';
    const original = table === 'approvals' ? approval : signature;
    const write = (values: Record<string, unknown>) =>
      sql`UPDATE ${sql.table(table)} SET ${sql.join(
        Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      )} WHERE ${sql.ref(key)} = ${approval.id}`.execute(insider);
    await write(change);
    const found = await signers();
    if (found !== 'refused') standing.push(`${table} ${Object.keys(change).join()}: ${found.join()}`);
    const [column = ''] = Object.keys(change);
    await write({ [column]: (original as Record<string, unknown>)[column] });
  }
  expect(standing).toEqual([]);
  expect(rewrites.length).toBeGreaterThanOrEqual(300);
  expect(await signers()).toEqual([owner.userId]);
});
