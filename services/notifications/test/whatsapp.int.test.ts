/** Notifications by WhatsApp: for users who chose it, at most once, and what the sender sees of it. */
import { randomUUID } from 'node:crypto';
import { exportRpc } from '@karaar/contracts/personal-data';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { signMetaBody, statusBody, type MetaStatus } from '@karaar/testing/sandboxes/sms/whatsapp';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, type Api } from './api.ts';
import { APP_SECRET, whatsappStandIn, type WhatsappStandIn } from './whatsapp-stand-in.ts';

let whatsapp: WhatsappStandIn;
let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  whatsapp = await whatsappStandIn();
  api = await startApi('notifications-whatsapp', {}, { ...whatsapp.env, TEXTS_PER_RECEIVER_AND_DAY: '3' });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await whatsapp.stop();
});
beforeEach(async () => {
  [whatsapp.mode, whatsapp.sent.length] = ['ok', 0];
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah', { language: 'hi' });
});

const db = () => api.service.foundation.db;
type Row = {
  id: string;
  channel: string;
  state: string;
  reason: string | null;
  attempts: number;
  due_at: Date;
};
const rows = async (channel = 'whatsapp') => {
  const { rows: found } = await sql<Row>`
    SELECT d.* FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${vikram.userId} AND d.channel = ${channel} ORDER BY d.id`.execute(db());
  return found;
};
const states = async (channel?: string) => (await rows(channel)).map(({ state }) => state).join();
const ended = (expected: string, channel?: string) =>
  until(`messages that are ${expected}`, async () => (await states(channel)) === expected);
const choose = (kind: string, channel: string, wanted: boolean) =>
  api.call(vikram, 'PATCH', '/notifications/settings', { preferences: [{ kind, channel, wanted }] });
const wantedIn = (body: unknown, kind: string) =>
  Object.fromEntries(
    (body as { preferences: { kind: string; channel: string; wanted: boolean }[] }).preferences
      .filter((one) => one.kind === kind && one.channel !== 'app' && one.channel !== 'email')
      .map(({ channel, wanted }) => [channel, wanted]),
  );
/** Asha approves, and it is Vikram's turn. */
const giveTurn = async () => {
  const document_id = randomUUID();
  await api.change({
    document_id,
    change: 'document.approved',
    primary_user: asha.userId,
    actor_id: asha.userId,
    awaited_users: [vikram.userId],
  });
  return document_id;
};
const seenBySender = async (document: string, by = 'whatsapp') => {
  const { body } = await api.call(asha, 'GET', `/notifications/deliveries/${document}`);
  const one = (body as { channel: string; state: string; cause?: string }[]).find(
    ({ channel }) => channel === by,
  );
  return [one?.state, one?.cause];
};
/** Gives the message of Vikram's turn to Meta, which refuses it. */
const refusedTurn = async (code = 131_026) => {
  whatsapp.mode = code;
  const document = await giveTurn();
  await ended('failed');
  return document;
};

it('is off until the user chooses it, and then replaces the SMS of that kind unless the user wants both', async () => {
  const { body } = await api.call(vikram, 'GET', '/notifications/settings');
  expect(wantedIn(body, 'your_turn')).toEqual({ sms: true, whatsapp: false });
  expect(wantedIn(body, 'data_exported')).toEqual({ sms: true });
  expect(wantedIn(body, 'invited')).toEqual({});
  await giveTurn();
  await ended('sent', 'sms');
  expect(await rows()).toEqual([]);
  const chosen = await choose('your_turn', 'whatsapp', true);
  expect(wantedIn(chosen.body, 'your_turn')).toEqual({ sms: false, whatsapp: true });
  const document = await giveTurn();
  await ended('sent');
  expect(await states('sms')).toBe('sent');
  expect(whatsapp.sent).toEqual([
    {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: expect.stringMatching(/^91\d{10}$/),
      type: 'template',
      biz_opaque_callback_data: (await rows())[0]?.id,
      template: {
        name: 'event_1_your_turn',
        language: { code: 'hi' },
        components: [
          {
            type: 'button',
            sub_type: 'url',
            index: '0',
            parameters: [{ type: 'text', text: `document/${document}` }],
          },
        ],
      },
    },
  ]);
  await choose('your_turn', 'sms', true);
  await giveTurn();
  // The limit of three messages to a phone counts both channels.
  await until('three of four', async () => {
    const all = [...(await rows('sms')), ...(await rows())].map(({ state }) => state);
    return all.sort().join() === 'sent,sent,sent,skipped';
  });
});

it('has the amount in the body of the template, and appears in the export of personal data', async () => {
  await choose('share_due', 'whatsapp', true);
  await api.world.publish(paymentsEvents.sharesChanged, {
    document_id: randomUUID(),
    set_by: asha.userId,
    shares: [{ user_id: vikram.userId, amount_paise: 12_345_050 }],
  });
  await ended('sent');
  expect(whatsapp.sent[0]?.template.components[0]).toEqual({
    type: 'body',
    parameters: [{ type: 'text', text: '1,23,450.50' }],
  });
  const request = { user_id: vikram.userId, cursor: null };
  const { items } = await api.world.ask(exportRpc.notifications, request, 'auth');
  expect(items).toContainEqual(expect.objectContaining({ kind: 'share_due', whatsapp: 'sent', sms: null }));
});

it('sends an SMS instead to a number that WhatsApp cannot reach, and shows the sender both', async () => {
  await choose('your_turn', 'whatsapp', true);
  const document = await refusedTurn();
  await ended('sent', 'sms');
  expect(await seenBySender(document)).toEqual(['failed', 'unreachable']);
  expect(await seenBySender(document, 'sms')).toEqual(['sent', undefined]);
  expect(api.sms.sent.filter(({ text }) => text.includes(`/document/${document}`))).toHaveLength(1);
});

it('sends the SMS too for a kind whose SMS is off by default, but not for one that the user switched off', async () => {
  await choose('join_requested', 'whatsapp', true);
  whatsapp.mode = 131_026;
  api.createdBy(vikram);
  await api.change({
    change: 'party.requested',
    primary_user: vikram.userId,
    actor_id: asha.userId,
    subject_id: asha.userId,
  });
  await ended('failed');
  await ended('sent', 'sms');
  await choose('your_turn', 'whatsapp', true);
  await choose('your_turn', 'sms', false);
  await giveTurn();
  await ended('failed,failed');
  await ended('sent,skipped', 'sms');
});

it('sends no second SMS to a user who chose both, however often the failure is reported', async () => {
  await choose('your_turn', 'whatsapp', true);
  await choose('your_turn', 'sms', true);
  await refusedTurn();
  await ended('sent', 'sms');
  const data = (await rows())[0]?.id ?? '';
  for (let times = 0; times < 3; times += 1)
    expect(await report({ status: 'failed', data, errors: [{ code: 131_026, title: 'x' }] })).toBe(200);
  expect(await states('sms')).toBe('sent');
});

it('sends the SMS within the daily limit, in which a message counts once', async () => {
  await choose('your_turn', 'whatsapp', true);
  for (const turns of ['sent', 'sent,sent', 'sent,sent,sent']) {
    whatsapp.mode = 131_026;
    await giveTurn();
    await ended(turns, 'sms');
  }
  await giveTurn();
  await ended('failed,failed,failed,skipped');
  expect(await states('sms')).toBe('sent,sent,sent');
});

it('sends the SMS after the last attempt, but not about an event of three days ago', async () => {
  await choose('your_turn', 'whatsapp', true);
  whatsapp.mode = 132_015;
  await giveTurn();
  await giveTurn();
  await until('both wait', async () => {
    const waiting = (await rows()).filter(({ state, attempts }) => state === 'queued' && attempts === 1);
    return waiting.length === 2;
  });
  const [first, second] = await rows();
  await sql`UPDATE deliveries SET created_at = now() - interval '4 days' WHERE id = ${first?.id}`.execute(
    db(),
  );
  await sql`UPDATE notifications SET created_at = now() - interval '4 days'
    WHERE id = (SELECT notification_id FROM deliveries WHERE id = ${first?.id})`.execute(db());
  await sql`UPDATE deliveries SET attempts = 7 WHERE id = ${second?.id}`.execute(db());
  await sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(db());
  await ended('failed,failed');
  await ended('sent', 'sms');
});

it('waits without counting attempts while the account is at fault, and retries a busy pair of numbers later', async () => {
  await choose('your_turn', 'whatsapp', true);
  whatsapp.mode = 190;
  await giveTurn();
  await until('it waits after an attempt that is not counted', async () => {
    const [waiting] = await rows();
    return waiting?.state === 'queued' && waiting.reason === 'the server is away' && waiting.attempts === 0;
  });
  whatsapp.mode = 131_056;
  await until('it waits longer', async () => (await rows())[0]?.reason === "the server's answer: later");
  const [later] = await rows();
  expect(later).toMatchObject({ state: 'queued', attempts: 1 });
  expect(later?.due_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
  whatsapp.mode = 'ok';
  await sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(db());
  await ended('sent');
  expect(whatsapp.sent).toHaveLength(1);
});

it('never sends a message again whose outcome is unknown; a report settles it', async () => {
  await choose('your_turn', 'whatsapp', true);
  whatsapp.mode = 'mute';
  const document = await giveTurn();
  await until('Meta has it', () => whatsapp.sent.length === 1);
  await sql`UPDATE deliveries SET lease_until = now() WHERE state = 'sending'`.execute(db());
  await ended('sent');
  expect(await seenBySender(document)).toEqual(['unconfirmed', undefined]);
  expect(await rows('sms')).toEqual([]);
  expect(await report({ status: 'delivered', data: (await rows())[0]?.id ?? '' })).toBe(200);
  expect(await seenBySender(document)).toEqual(['delivered', undefined]);
  expect(whatsapp.sent).toHaveLength(1);
});

const post = async (body: string, signature: string) =>
  (
    await fetch(`${api.service.url}/notifications/whatsapp-webhook`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    })
  ).status;
const report = (status: MetaStatus) => {
  const body = statusBody(status);
  return post(body, signMetaBody(body, APP_SECRET));
};

it('takes reports that Meta has signed, in any order and repeated, and refuses all others', async () => {
  await choose('your_turn', 'whatsapp', true);
  const document = await giveTurn();
  await ended('sent');
  const data = (await rows())[0]?.id ?? '';
  const delivered = statusBody({ status: 'delivered', data });
  for (const signature of [
    '',
    'sha256=',
    signMetaBody(delivered, 'guess'),
    signMetaBody(`${delivered} `, APP_SECRET),
  ])
    expect(await post(delivered, signature)).toBe(401);
  expect(await seenBySender(document)).toEqual(['sent', undefined]);
  expect(await report({ status: 'sent', data })).toBe(200);
  expect(await seenBySender(document)).toEqual(['sent', undefined]);
  const failed = { status: 'failed', data, errors: [{ code: 131_049, title: 'Not delivered' }] } as const;
  expect(await report(failed)).toBe(200);
  expect(await seenBySender(document)).toEqual(['failed', 'blocked']);
  await ended('sent', 'sms');
  // Another device of the user has got it.
  for (const status of ['read', 'delivered'] as const) expect(await report({ status, data })).toBe(200);
  expect(await report(failed)).toBe(200);
  expect(await seenBySender(document)).toEqual(['delivered', undefined]);
  expect(await states('sms')).toBe('sent');
  // Messages that users write, and reports about others' messages.
  for (const body of [
    '{"entry":[{"changes":[{"value":{"messages":[{}]}}]}]}',
    statusBody({ status: 'read', data: 'x' }),
  ])
    expect(await post(body, signMetaBody(body, APP_SECRET))).toBe(200);
  for (const body of ['', '[]', '{"entry":1}'])
    expect(await post(body, signMetaBody(body, APP_SECRET))).toBe(400);
});

it("answers Meta's check of the address with the challenge, for the operator's word alone", async () => {
  const check = async (token: string, mode = 'subscribe', challenge = '1158201444') => {
    const query = new URLSearchParams({
      'hub.mode': mode,
      'hub.verify_token': token,
      'hub.challenge': challenge,
    });
    const answer = await fetch(`${api.service.url}/notifications/whatsapp-webhook?${query}`);
    return [answer.status, answer.status === 200 ? await answer.text() : undefined];
  };
  expect(await check('our-word')).toEqual([200, '1158201444']);
  expect(await check('other-wd')).toEqual([403, undefined]);
  expect(await check('our-word', 'unsubscribe')).toEqual([403, undefined]);
  expect(await check('our-word', 'subscribe', '<script>')).toEqual([422, undefined]);
});
