import { sql } from 'kysely';
import { until } from '@karaar/testing/until';
import type { WorldUser } from '@karaar/testing/service-world';
import { mailAddress, startApi, type Api } from './api.ts';

const refused = new Map<string, number>();
let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  api = await startApi('notifications-mail', { refusal: (address) => refused.get(address) });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  refused.clear();
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
});

const documentId = '0193a1b2-0000-7000-8000-000000000001';
const invite = () =>
  api.change({
    document_id: documentId,
    change: 'party.invited',
    actor_id: asha.userId,
    subject_id: vikram.userId,
  });
const states = async (user: WorldUser) => {
  const { rows } = await sql<{ state: string; reason: string | null; attempts: number; due_at: Date }>`
    SELECT d.state, d.reason, d.attempts, d.due_at FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${user.userId} ORDER BY d.id`.execute(api.service.foundation.db);
  return rows;
};
const ended = (user: WorldUser, state: string) =>
  until(`an e-mail that is ${state}`, async () => (await states(user)).at(-1)?.state === state);

it('sends an invitation as plain text and HTML, with links to Karaar only, a stable id and one-click unsubscribe', async () => {
  await invite();
  await ended(vikram, 'sent');
  const [mail] = api.mailsTo(vikram);
  expect(api.mailsTo(vikram)).toHaveLength(1);
  expect(mail).toMatchObject({ subject: 'You are asked to agree on a document', arrivals: 1 });
  expect(mail?.text).toContain(
    'Asha Rao asks you to agree on “Lease of the shop”. Please answer by 12 December 2026.',
  );
  expect(mail?.text).toContain(`http://karaar.test/document/${documentId}`);
  expect(mail?.html).toContain('<!doctype html>');
  expect(mail?.id).toMatch(/^<[0-9a-f-]{36}@karaar\.test>$/);
  expect(mail?.headers).toMatchObject({
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'auto-submitted': 'auto-generated',
  });
  const [, url = ''] =
    /^<http:\/\/karaar\.test\/api(\/.+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? [];
  const oneClick = () =>
    fetch(`${api.service.url}${url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  expect((await oneClick()).status).toBe(200);
  expect((await oneClick()).status).toBe(200);
  await invite();
  await api.change({ change: 'party.reminded', actor_id: asha.userId, subject_id: vikram.userId });
  await until('the reminder', async () => api.mailsTo(vikram).length === 2);
  expect(api.mailsTo(vikram)[0]?.subject).toBe('Your answer is awaited');
  expect((await api.inbox(vikram)).notifications).toHaveLength(3);
});

it('sends nothing to an address that is no longer proved', async () => {
  await invite();
  await ended(vikram, 'sent');
  api.world.changeEmail(vikram, '');
  await invite();
  await ended(vikram, 'skipped');
  expect((await states(vikram)).at(-1)).toMatchObject({ reason: 'no proved address', attempts: 1 });
  expect(api.mailsTo(vikram)).toHaveLength(1);
  expect((await api.inbox(vikram)).notifications).toHaveLength(2);
});

it("has a document's name in the subject once its creator allows that", async () => {
  api.createdBy(asha);
  await api.call(asha, 'PATCH', '/notifications/settings', { names_in_subjects: true });
  await invite();
  await ended(vikram, 'sent');
  expect(api.mailsTo(vikram)[0]?.subject).toBe('You are asked to agree on a document: Lease of the shop');
});

it('sends the same e-mail again if the outcome is unknown', async () => {
  await invite();
  await ended(vikram, 'sent');
  // The state after a process died between the server's answer and its own update.
  await sql`UPDATE deliveries SET state = 'sending', lease_until = now() WHERE notification_id IN
    (SELECT id FROM notifications WHERE user_id = ${vikram.userId})`.execute(api.service.foundation.db);
  await until('a second arrival', async () => api.mailsTo(vikram)[0]?.arrivals === 2);
  expect(api.mailsTo(vikram)).toHaveLength(1);
});

it('gives up an address that the server refuses permanently, and retries a busy one', async () => {
  refused.set(`${vikram.charId.toLowerCase()}@example.org`, 550);
  await invite();
  await ended(vikram, 'failed');
  expect((await states(vikram))[0]).toMatchObject({ attempts: 1, reason: "the server's answer: refused" });
  refused.set(`${asha.charId.toLowerCase()}@example.org`, 451);
  await api.change({ change: 'party.requested', primary_user: asha.userId, actor_id: vikram.userId });
  await until('an attempt', async () => (await states(asha))[0]?.reason === "the server's answer: later");
  const [waiting] = await states(asha);
  expect(waiting).toMatchObject({ state: 'queued', attempts: 1 });
  expect(waiting?.due_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
  refused.clear();
  await sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(api.service.foundation.db);
  await ended(asha, 'sent');
  expect(api.mailsTo(asha)).toHaveLength(1);
});

it('does not send a request to act that the user has read in the app meanwhile', async () => {
  await api.call(vikram, 'PATCH', '/notifications/settings', { quiet_hours: allDay() });
  await invite();
  await until('it is there', async () => (await api.inbox(vikram)).notifications.length === 1);
  const [before] = await states(vikram);
  expect(before?.state).toBe('queued');
  expect(before?.due_at.getTime()).toBeGreaterThan(Date.now());
  const [{ _id } = { _id: '' }] = (await api.inbox(vikram)).notifications;
  await api.call(vikram, 'POST', `/notifications/${_id}/read`);
  await sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(api.service.foundation.db);
  await ended(vikram, 'skipped');
  expect(api.mailsTo(vikram)).toEqual([]);
});

it('shows the state of an e-mail only to the user who caused it', async () => {
  await invite();
  await ended(vikram, 'sent');
  const path = `/notifications/deliveries/${documentId}`;
  const seen = (await api.call(asha, 'GET', path)).body as unknown[];
  expect(seen[0]).toMatchObject({ kind: 'invited', channel: 'email', user_id: vikram.userId, state: 'sent' });
  refused.set(mailAddress(vikram), 550);
  await invite();
  await ended(vikram, 'failed');
  expect((await api.call(asha, 'GET', path)).body).toMatchObject([
    { state: 'failed', bounced: true },
    { state: 'sent' },
  ]);
  expect((await api.call(vikram, 'GET', path)).body).toEqual([]);
  expect((await api.call(undefined, 'GET', path)).status).toBe(401);
  expect((await api.call({ headers: await api.world.adminHeaders() }, 'GET', path)).status).toBe(403);
});

/** Returns quiet hours that contain the present moment and at least the next 22 hours. */
function allDay() {
  const hour = new Date(Date.now() + 5.5 * 3_600_000).getUTCHours();
  return { from: hour, until: (hour + 23) % 24 };
}
