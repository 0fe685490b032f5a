import { jest } from '@jest/globals';
import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { StepUpAct, StepUpStanding } from '@karaar/contracts/step-up';
import { statesAct } from '@karaar/contracts/step-up-statement';
import { credential } from '@karaar/http/service-credentials';
import { readGrant } from '@karaar/service/step-up';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { startApi, type Api } from '../api.ts';
import { enrol, KEYS, list, SITE } from './signing.ts';

jest.setTimeout(120_000);

const DOCUMENT = '0190a000-0000-7000-8000-000000000001';
const PAY: StepUpAct = { action: 'pay', document_id: DOCUMENT, amount_paise: 500_100 };

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
let device: Authenticator;

beforeAll(async () => {
  api = await startApi('documents-step-up');
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
  ({ device } = await enrol(api, asha));
});
afterAll(() => api.stop());

const db = () => api.service.foundation.db;
const begin = (user: WorldUser | undefined, act: unknown = PAY) =>
  api.call(user, 'POST', '/documents/step-up', { act });
type Stated = {
  statement_id: string;
  statement: string;
  use: { challenge: string; allowCredentials: { id: string }[] };
};
const begun = async (user: WorldUser, act: StepUpAct = PAY) => (await begin(user, act)).body as Stated;
const finish = (user: WorldUser | undefined, { statement_id, use }: Stated, by: Authenticator, change = {}) =>
  api.call(user, 'POST', '/documents/step-up/grant', {
    statement_id,
    used: by.answer({ ...SITE, challenge: use.challenge, ...change }),
  });
const standing = (user: WorldUser) => api.world.ask(documentsRpc.stepUp, { user_id: user.userId }, 'auth');

it('states the person and the act, and grants exactly that', async () => {
  const stated = await begun(asha);
  expect(statesAct(stated.statement, asha.userId, PAY)).toBe(true);
  expect(statesAct(stated.statement, vikram.userId, PAY)).toBe(false);
  expect(stated.use.allowCredentials.map(({ id }) => id)).toEqual([device.credentialId]);
  const { status, body } = await finish(asha, stated, device);
  expect(status).toBe(200);
  const { state, grant_keys: keys } = await standing(asha);
  expect(state).toBe('keys');
  const grant = String(body['grant']);
  expect(await readGrant(keys, grant, { userId: asha.userId, act: PAY })).toEqual({
    id: stated.statement_id,
    expiresAt: new Date(String(body['expires_at'])),
  });
  for (const other of [
    { userId: vikram.userId, act: PAY },
    { userId: asha.userId, act: { ...PAY, amount_paise: 500_101 } },
    { userId: asha.userId, act: { ...PAY, document_id: DOCUMENT.replace('1', '2') } },
    { userId: asha.userId, act: { action: 'export' } as const },
  ])
    expect(await readGrant(keys, grant, other)).toBeUndefined();
});

it('gives payments at the internal port the same answer as auth over the broker', async () => {
  const { path } = documentsInternalRpc.stepUp;
  const secrets = String(api.world.env['PAYMENTS_TO_DOCUMENTS_SECRETS']).split(',');
  const answer = await fetch(`${api.service.innerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(secrets) },
    body: JSON.stringify({ user_id: asha.userId }),
  });
  expect(((await answer.json()) as StepUpStanding).state).toBe('keys');
});

it('accepts one answer, in time, of this user and key, for this statement, from our own site', async () => {
  const once = await begun(asha);
  expect((await finish(asha, once, device)).status).toBe(200);
  expect((await finish(asha, once, device)).body['code']).toBe('step_up_not_signed');
  expect((await finish(vikram, await begun(asha), device)).status).toBe(422);
  expect((await finish(asha, await begun(asha), new Authenticator())).status).toBe(422);
  const other = await begun(asha, { action: 'export' });
  for (const change of [
    { challenge: other.use.challenge },
    { challenge: 'AAAA' },
    { origin: 'http://localhost:8081' },
    { rpId: 'example' },
    { flags: 0x01 },
    { counter: 0 },
    { crossOrigin: true },
  ])
    expect((await finish(asha, await begun(asha), device, change)).status).toBe(422);
  const late = await begun(asha);
  await sql`UPDATE step_up_statements SET expires_at = now() - interval '1 second'`.execute(db());
  expect((await finish(asha, late, device)).status).toBe(422);
});

it('requires nothing from a person without a key, and refuses callers without a session and invalid acts', async () => {
  expect(await standing(vikram)).toEqual({ state: 'none', until: null, grant_keys: [] });
  expect((await begin(vikram)).body['code']).toBe('step_up_without_key');
  expect((await begin(undefined)).status).toBe(401);
  expect((await finish(undefined, await begun(asha), device)).status).toBe(401);
  for (const act of [
    { action: 'everything' },
    { action: 'pay', document_id: DOCUMENT },
    { action: 'pay', document_id: DOCUMENT, amount_paise: 0.5 },
    { action: 'change_phone', phone_no: '9000000001' },
  ])
    expect((await begin(asha, act)).status).toBe(422);
});

it('lets neither a new key nor a removal bypass the confirmation before the waiting time', async () => {
  const owner = await api.world.addUser('Meera Nair');
  const first = await enrol(api, owner);
  const thief = await enrol(api, owner);
  expect((await begun(owner)).use.allowCredentials.map(({ id }) => id)).toEqual([first.device.credentialId]);
  expect((await finish(owner, await begun(owner), thief.device)).status).toBe(422);
  await api.call(owner, 'DELETE', `${KEYS}/${first.keyId}`);
  const { state, until } = await standing(owner);
  expect(state).toBe('waiting');
  expect(Date.parse(String(until)) - Date.now()).toBeGreaterThan(71 * 3_600_000);
  expect((await begin(owner)).body['code']).toBe('step_up_waiting');
  await api.call(owner, 'DELETE', `${KEYS}/${thief.keyId}`);
  expect(await list(api, owner)).toEqual([]);
  expect((await standing(owner)).state).toBe('waiting');
});
