import { Value } from 'typebox/value';
import { NotificationSettings } from '@karaar/contracts/notifications/http';
import { NOTIFICATION_KINDS, SMS_KINDS } from '@karaar/contracts/notifications/kinds';
import type { WorldUser } from '@karaar/testing/service-world';
import { unsubscribeToken } from '../src/features/preferences/unsubscribe-token.ts';
import { SECRET, startApi, type Api } from './api.ts';

type Settings = {
  preferences: { kind: string; channel: string; wanted: boolean }[];
  quiet_hours: unknown;
  names_in_subjects: boolean;
  attach_sealed: boolean;
};

let api: Api;
let asha: WorldUser;
beforeAll(async () => {
  api = await startApi('notifications-settings');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  asha = await api.world.addUser('Asha Rao');
});

const path = '/notifications/settings';
/** Off until the user chooses them. */
const OFF = [
  'join_requested',
  'cancelled',
  'lapsed',
  'all_approved',
  'expiring',
  'top_up_failed',
  'new_sign_in',
].map((kind) => `${kind} sms`);
const off = (settings: Settings) =>
  settings.preferences.filter(({ wanted }) => !wanted).map(({ kind, channel }) => `${kind} ${channel}`);

it('settings have at first every kind in the app and by e-mail, and the urgent ones by SMS, at any hour, without attached files', async () => {
  const { status, body } = await api.call(asha, 'GET', path);
  expect(status).toBe(200);
  expect(Value.Check(NotificationSettings, body)).toBe(true);
  const settings = body as Settings;
  expect(settings.preferences).toHaveLength(NOTIFICATION_KINDS.length * 2 + Object.keys(SMS_KINDS).length);
  expect(off(settings)).toEqual(OFF);
  expect(settings.preferences.filter(({ channel }) => channel === 'whatsapp')).toEqual([]);
  expect((await fetch(`${api.service.url}/notifications/whatsapp-webhook`, { method: 'POST' })).status).toBe(
    404,
  );
  expect(settings).toMatchObject({ quiet_hours: null, names_in_subjects: false, attach_sealed: false });
});
const changed = (settings: Settings) => off(settings).filter((one) => !OFF.includes(one));

it('a kind that is off by SMS can be switched on, and a kind that does not come by SMS has no such choice', async () => {
  const { body } = await api.call(asha, 'PATCH', path, {
    preferences: [
      { kind: 'sealed', channel: 'sms', wanted: false },
      { kind: 'expiring', channel: 'sms', wanted: true },
      { kind: 'invited', channel: 'sms', wanted: true },
    ],
  });
  const bySms = (body as Settings).preferences.filter(({ channel }) => channel === 'sms');
  expect(bySms).toContainEqual({ kind: 'sealed', channel: 'sms', wanted: false });
  expect(bySms).toContainEqual({ kind: 'expiring', channel: 'sms', wanted: true });
  expect(bySms.map(({ kind }) => kind)).not.toContain('invited');
});

it('settings change only where the request names them', async () => {
  const patch = (body: unknown) => api.call(asha, 'PATCH', path, body);
  await patch({ preferences: [{ kind: 'paid', channel: 'email', wanted: false }] });
  await patch({ quiet_hours: { from: 22, until: 7 } });
  const { body } = await patch({ names_in_subjects: true });
  expect(changed(body as Settings)).toEqual(['paid email']);
  expect(body).toMatchObject({ quiet_hours: { from: 22, until: 7 }, names_in_subjects: true });
  const back = await patch({
    preferences: [
      { kind: 'paid', channel: 'email', wanted: false },
      { kind: 'paid', channel: 'email', wanted: true },
    ],
    quiet_hours: null,
    attach_sealed: true,
  });
  expect(changed(back.body as Settings)).toEqual([]);
  expect(back.body).toMatchObject({ quiet_hours: null, names_in_subjects: true, attach_sealed: true });
});

it('refuses invalid settings', async () => {
  for (const body of [
    { preferences: [{ kind: 'weather', channel: 'email', wanted: false }] },
    { preferences: [{ kind: 'paid', channel: 'pigeon', wanted: false }] },
    { quiet_hours: { from: 24, until: 7 } },
    { names_in_subjects: 'perhaps' },
  ])
    expect((await api.call(asha, 'PATCH', path, body)).status).toBe(422);
});

it('settings are for signed-in users only', async () => {
  for (const method of ['GET', 'PATCH']) {
    const body = method === 'PATCH' ? {} : undefined;
    expect((await api.call(undefined, method, path, body)).status).toBe(401);
    expect((await api.call({ headers: await api.world.adminHeaders() }, method, path, body)).status).toBe(
      403,
    );
  }
});

it('an unsubscribe token changes only its own kind, and a forged token changes nothing', async () => {
  const token = unsubscribeToken(SECRET, { userId: asha.userId, kind: 'invited' });
  const post = (value: string) =>
    api.call(undefined, 'POST', `/notifications/unsubscribe?token=${encodeURIComponent(value)}`, {});
  expect((await post(token.replace('.invited.', '.sealed.'))).status).toBe(400);
  expect(changed((await api.call(asha, 'GET', path)).body as Settings)).toEqual([]);
  const ofPasskeys = unsubscribeToken(SECRET, { userId: asha.userId, kind: 'passkey_added' });
  expect((await post(ofPasskeys)).status).toBe(400);
  expect((await post(token)).status).toBe(200);
  expect(changed((await api.call(asha, 'GET', path)).body as Settings)).toEqual(['invited email']);
});
