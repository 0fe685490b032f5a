import { jest } from '@jest/globals';
import { ADMIN_ROLES, type AdminRole } from '@karaar/contracts/kit';
import { startBrokerAdmin, type BrokerAdmin } from '@karaar/bus';
import { uuidv7 } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { dropDeadLetterRpc, listDeadLettersRpc, retryDeadLetterRpc } from '@karaar/contracts/dead-letters';
import { sql } from 'kysely';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

const HANDLER = 'shared-created';
const SUBJECT = 'evt.documents.document.created.v1';
const REASON = 'The document was made for a test';
/** Personal data that an event may contain and an error text may quote. */
const PRIVATE = 'asha@example.org';

let broker: TestBroker;
let brokerAdmin: BrokerAdmin;
let api: Api;
beforeAll(async () => {
  // Its own broker and its own service name, because auth requests its own dead letters like those of the
  // others.
  broker = await startBroker();
  const logger = createLogger({ name: 'broker-admin', level: 'silent' });
  brokerAdmin = await startBrokerAdmin({ url: broker.url, logger });
  api = await startApi('auth-dead-letters', {
    SEED_DEMO: 'true',
    SERVICE_NAME: 'auth',
    NATS_URL: broker.url,
  });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await brokerAdmin.close();
  await broker.remove();
});
beforeEach(async () => {
  await api.forgetLimits();
  await sql`DELETE FROM dead_letter`.execute(db());
});

const db = () => api.service.foundation.db;
const asAdmin = async (role: AdminRole) => {
  await db().updateTable('admins').set({ role }).execute();
  const { body } = await api.json('POST', '/admin/login', { username: 'admin', password: 'karaar-admin' });
  return { authorization: `Bearer ${String(body['token'])}` };
};
const list = (headers: Record<string, string>, query = '') =>
  api.json('GET', `/admin/dead-letters${query}`, undefined, headers);
const act = (
  what: 'retry' | 'drop',
  eventId: string,
  headers: Record<string, string>,
  { service = 'auth', handler = HANDLER, reason = REASON } = {},
) =>
  api.json(
    'POST',
    `/admin/dead-letters/${service}/${what}`,
    { handler, event_id: eventId, ...(what === 'drop' ? { reason } : {}) },
    headers,
  );

/**
 * Inserts a dead letter.
 * @param data of the event; by default a document without parties
 */
async function leave(
  data: object = { document_id: uuidv7(), status: 'pending', primary_user: uuidv7(), involved_users: [] },
  { handler = HANDLER, since = '2026-11-21', reason = `PoisonMessage: ${PRIVATE} is unknown` } = {},
): Promise<string> {
  const id = uuidv7();
  const message = {
    id,
    type: 'documents.document.created',
    version: 1,
    occurredAt: '2026-11-21T06:00:00.000Z',
    aggregateId: id,
    aggregateVersion: 1,
    data,
  };
  await sql`
    INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries, created_at)
    VALUES (${id}, ${handler}, ${SUBJECT}, ${JSON.stringify(message)}, ${reason}, 30, ${since})`.execute(
    db(),
  );
  return id;
}
const kept = async (): Promise<string[]> => {
  const { rows } = await sql<{ event_id: string }>`SELECT event_id FROM dead_letter`.execute(db());
  return rows.map(({ event_id }) => event_id);
};
const trail = () =>
  db()
    .selectFrom('admin_audit')
    .select(['action', 'target', 'target_id', 'reason'])
    .where('action', 'like', 'dead-letter.%')
    .orderBy('at')
    .execute();

it('[ADMIN-035] lists the oldest first with the class of the error but nothing of the event, and names services that did not answer', async () => {
  const headers = await asAdmin('super-admin');
  const young = await leave({ name: PRIVATE }, { since: '2026-11-22', reason: `${PRIVATE} without a class` });
  const old = await leave({ name: PRIVATE });
  const { status, body } = await list(headers);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain(PRIVATE);
  expect(body).toMatchObject({
    total: 2,
    items: [
      {
        service: 'auth',
        event_id: old,
        handler: HANDLER,
        subject: SUBJECT,
        deliveries: 30,
        fault: 'PoisonMessage',
      },
      { service: 'auth', event_id: young, fault: 'unknown' },
    ],
    away: ['documents', 'payments', 'wallet', 'messaging', 'cms', 'notifications'],
  });
  expect((await list(headers, '?service=auth')).body).toMatchObject({ total: 2, away: [] });
  expect((await list(headers, '?service=vision')).status).toBe(422);
});

it('counts more dead letters than it lists', async () => {
  const headers = await asAdmin('super-admin');
  await sql`
    INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries)
    SELECT n::text, ${HANDLER}, ${SUBJECT}, '{}', 'Error: x', 1 FROM generate_series(1, 130) n`.execute(db());
  const { body } = await list(headers, '?service=auth');
  expect(body['total']).toBe(130);
  expect(body['items']).toHaveLength(100);
});

it('[ADMIN-035] has an event applied again by its handler, and says when it fails again or has no handler', async () => {
  const headers = await asAdmin('super-admin');
  const before = (await trail()).length;
  const good = await leave();
  const broken = await leave({});
  const foreign = await leave({}, { handler: 'of-another-version' });
  expect(await act('retry', good, headers)).toMatchObject({ status: 200, body: { outcome: 'applied' } });
  expect((await act('retry', broken, headers)).body).toEqual({ outcome: 'failed' });
  expect((await act('retry', foreign, headers, { handler: 'of-another-version' })).body).toEqual({
    outcome: 'unhandled',
  });
  expect((await kept()).sort()).toEqual([broken, foreign].sort());
  const { rows } = await sql`SELECT 1 FROM inbox WHERE event_id = ${good} AND handler = ${HANDLER}`.execute(
    db(),
  );
  expect(rows).toHaveLength(1);
  expect(await act('retry', good, headers)).toMatchObject({
    status: 404,
    body: { code: 'dead_letter_gone' },
  });
  expect((await trail()).slice(before)[0]).toEqual({
    action: 'dead-letter.retry-asked',
    target: `auth ${HANDLER}`,
    target_id: good,
    reason: '',
  });
});

it('[ADMIN-035] drops an event only with a reason, and keeps the others', async () => {
  const headers = await asAdmin('super-admin');
  const [given, other] = [await leave({}), await leave({})];
  expect((await act('drop', given, headers, { reason: 'short' })).status).toBe(422);
  expect(await kept()).toHaveLength(2);
  expect(await act('drop', given, headers)).toMatchObject({ status: 200, body: { dropped: true } });
  expect(await kept()).toEqual([other]);
  expect((await trail()).at(-1)).toEqual({
    action: 'dead-letter.drop-asked',
    target: `auth ${HANDLER}`,
    target_id: given,
    reason: REASON,
  });
  expect((await act('drop', given, headers)).status).toBe(404);
});

it('changes nothing if the service is unavailable, and says so', async () => {
  const headers = await asAdmin('super-admin');
  for (const what of ['retry', 'drop'] as const) {
    expect(await act(what, uuidv7(), headers, { service: 'payments' })).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable' },
    });
  }
});

it('allows only super-admins', async () => {
  const id = await leave({});
  const asha = newPerson();
  await api.register(asha);
  const user = (await api.signIn(asha.phone)).headers;
  const tries = [
    (headers: Record<string, string>) => list(headers),
    (headers: Record<string, string>) => act('retry', id, headers),
    (headers: Record<string, string>) => act('drop', id, headers),
  ];
  const before = (await trail()).length;
  for (const attempt of tries) {
    expect((await attempt({})).status).toBe(401);
    expect(await attempt(user)).toMatchObject({ status: 403, body: { code: 'wrong_audience' } });
    for (const role of ADMIN_ROLES.filter((each) => each !== 'super-admin'))
      expect(await attempt(await asAdmin(role))).toMatchObject({
        status: 403,
        body: { code: 'role_forbidden' },
      });
  }
  expect(await kept()).toEqual([id]);
  expect(await trail()).toHaveLength(before);
  expect((await list(await asAdmin('super-admin'))).status).toBe(200);
});

it("accepts these requests only from auth and the operator's tool", () => {
  for (const rpc of [listDeadLettersRpc('wallet'), dropDeadLetterRpc('wallet')])
    expect(rpc.callers).toEqual(['auth']);
  expect(retryDeadLetterRpc('wallet').callers).toEqual(['ops', 'auth']);
});
