/** The chat list, marks, masks, blocks and reports. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { ChatPerson, Conversation } from '@karaar/contracts/messaging/http';
import type { Report } from '@karaar/contracts/messaging/reports';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
let meera: WorldUser;

beforeAll(async () => {
  api = await startApi('threads', { CONTACT_SEARCHES_PER_HOUR: '20' });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram, meera] = await api.people();
});

type List = { items: Conversation[]; next_cursor: string | null };
const list = async (user: WorldUser, query = '') =>
  (await api.call(user, 'GET', `/messaging/conversations${query}`)).body as List;
const names = async (user: WorldUser, query = '') =>
  (await list(user, query)).items.map((item) => item.user.name);
const person = async (user: WorldUser, other: WorldUser) =>
  (await api.call(user, 'GET', `/messaging/people/${other.userId}`)).body as ChatPerson;

async function share(people: WorldUser[], version = 1, documentId: string = randomUUID()): Promise<string> {
  const involved_users = people.map(({ userId }) => userId);
  await api.publish(
    documentsEvents.changed,
    {
      document_id: documentId,
      status: 'approved',
      primary_user: involved_users[0],
      involved_users,
      acquainted_users: involved_users,
    },
    { aggregateId: documentId, aggregateVersion: version },
  );
  return documentId;
}
const shared = (count: number, a = asha, b = vikram) =>
  until(`${count} are shared`, async () => (await person(a, b)).shared_documents === count);

describe('the chat list', () => {
  it('has unread chats first, then the latest, with the last message and the shared documents', async () => {
    await api.send(vikram, asha, 'Old and unread');
    await api.send(asha, meera, 'I have written');
    await share([asha, vikram]);
    await shared(1);
    const { items, next_cursor } = await list(asha);
    expect(next_cursor).toBeNull();
    expect(items).toEqual([
      {
        user: expect.objectContaining({ user_id: vikram.userId, name: 'Vikram Shah', shared_documents: 1 }),
        last_message: {
          sender_id: vikram.userId,
          content: 'Old and unread',
          created_at: expect.any(String),
          is_read: false,
          is_delivered: true,
          attachment_name: null,
        },
        unread_count: 1,
      },
      {
        user: expect.objectContaining({ user_id: meera.userId, shared_documents: 0 }),
        last_message: expect.objectContaining({ content: 'I have written', is_delivered: false }),
        unread_count: 0,
      },
    ]);
    await api.conversation(asha, vikram);
    expect(await names(asha)).toEqual(['Meera Nair', 'Vikram Shah']);
  });

  it('shows parties of a shared document who have not written, until the document is no longer shared', async () => {
    const documentId = await share([asha, vikram, meera], 3);
    await shared(1);
    expect(await names(asha)).toEqual(expect.arrayContaining(['Vikram Shah', 'Meera Nair']));
    // Late and repeated events change nothing.
    await share([asha], 2, documentId);
    await share([asha, vikram, meera], 3, documentId);
    await share([asha, meera], 4, documentId);
    await shared(0);
    expect(await names(asha)).toEqual(['Meera Nair']);
    expect((await person(vikram, meera)).shared_documents).toBe(0);
  });

  it('is paged by keyset and leaves no user out, even while it changes', async () => {
    const others: WorldUser[] = [];
    for (let i = 0; i < 7; i += 1) {
      const other = await api.world.addUser(`Person ${i}`);
      others.push(other);
      await api.send(i % 2 ? other : asha, i % 2 ? asha : other, 'Hi');
    }
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const { items, next_cursor } = await list(asha, `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...items.map((item) => item.user.name));
      if (!next_cursor) break;
      cursor = next_cursor;
    }
    expect(seen).toEqual([5, 3, 1, 6, 4, 2, 0].map((at) => `Person ${at}`));
    for (const bad of ['x', Buffer.from('[1,2]').toString('base64url')])
      expect((await api.call(asha, 'GET', `/messaging/conversations?cursor=${bad}`)).status).toBe(400);
  });

  it('[CHAT-001] is searched by name, and by e-mail and phone as far as they are shown', async () => {
    const phone = '+919812345678';
    const guessed = await api.world.addUser('Vikram Shah', { phone });
    await api.send(asha, guessed, 'Hi');
    const { email, phone_no } = await person(asha, guessed);
    expect([email.includes('•'), phone_no.includes('•')]).toEqual([true, true]);
    const own = `${guessed.charId.toLowerCase()}@example.org`;
    // The mask shows the first letter, so a guess that begins with another one is not found.
    const otherLetter = own.startsWith('x') ? 'y' : 'x';
    for (const [search, found] of [
      ['vik', 1],
      ['shah', 1],
      ['hah', 0],
      ['%', 0],
      [guessed.charId, 1],
      [own.slice(0, 10), 0],
      [phone.slice(-5), 0],
      // A whole contact finds every contact with the same mask, so that a match does not confirm a guess.
      [own, 1],
      [`${own.slice(0, 1)}another@example.org`, 1],
      [`${otherLetter}${own}`, 0],
      [own.replace('org', 'com'), 0],
      [phone, 1],
      ['0091 98123-45678', 1],
      ['(०९८१२) ३४५.६७८', 1],
      [`${guessed.charId.slice(0, 4)} ${guessed.charId.slice(4).toLowerCase()}`, 1],
      ['9000005678', 1],
      ['9812345679', 0],
    ] as const)
      expect([search, (await names(asha, `?search=${encodeURIComponent(search)}`)).length]).toEqual([
        search,
        found,
      ]);
    // Both have written, so the contact is shown and can be found by a part.
    await api.send(guessed, asha, 'Hello');
    const known = await person(asha, guessed);
    expect(known.email).toBe(own);
    expect(await names(asha, `?search=${own.slice(0, 10)}`)).toEqual(['Vikram Shah']);
    expect(await names(asha, `?search=${known.phone_no.slice(-5)}`)).toEqual(['Vikram Shah']);
    const [head, tail] = [known.phone_no.slice(-5, -2), known.phone_no.slice(-2)];
    for (const typed of [`${head}/${tail}`, `${head}\u200b${tail}\n`])
      expect(await names(asha, `?search=${encodeURIComponent(typed)}`)).toEqual(['Vikram Shah']);
    expect(await names(asha, '?search=9000005678')).toEqual([]);
  });

  it('limits searches by a whole phone number or e-mail address in any spelling; other searches go on', async () => {
    const meera = await api.world.addUser('Meera Nair');
    const search = async (text: string) =>
      (await api.call(meera, 'GET', `/messaging/conversations?search=${encodeURIComponent(text)}`)).status;
    const guesses = [
      '9812345678',
      '+91 98123 45679',
      '0 98123.45680',
      '९८१२३४५६८१',
      'a@example.org',
      'b@example.org',
    ];
    const statuses = await Promise.all(
      Array.from({ length: 24 }, (_, nth) => search(guesses[nth % guesses.length] ?? '')),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(await search('9812345699')).toBe(429);
    expect([await search('asha'), await search('98123')]).toEqual([200, 200]);
  });

  it('[CHAT-005] masks phone and e-mail until a document is shared or both have written', async () => {
    const masked = {
      email: expect.stringMatching(/^.•••@/),
      phone_no: expect.stringMatching(/^\+91•{6}\d{4}$/),
    };
    expect(await person(asha, vikram)).toMatchObject(masked);
    await api.send(asha, vikram, 'One side is not enough');
    expect([await person(asha, vikram), await person(vikram, asha)]).toMatchObject([masked, masked]);
    await share([asha, meera]);
    await shared(1, asha, meera);
    expect((await person(asha, meera)).email).toBe(`${meera.charId.toLowerCase()}@example.org`);
    expect((await api.call(asha, 'GET', `/messaging/people/${randomUUID()}`)).status).toBe(404);
  });
});

describe('marks', () => {
  it('counts each message and each read mark once, in any order', async () => {
    await Promise.all([
      ...Array.from({ length: 30 }, (_, i) => api.send(vikram, asha, `v${i}`)),
      ...Array.from({ length: 30 }, () => api.conversation(asha, vikram)),
      ...Array.from({ length: 10 }, (_, i) => api.send(asha, vikram, `a${i}`)),
    ]);
    await api.conversation(asha, vikram);
    expect(await api.unread(asha)).toBe(0);
    expect(await api.unread(vikram)).toBe(10);
    await api.send(vikram, asha, 'One more');
    expect(await api.unread(asha)).toBe(1);
  });

  it('reads up to a position, forwards only, and peeks without reading', async () => {
    for (let i = 1; i <= 5; i += 1) await api.send(vikram, asha, `v${i}`);
    await api.conversation(asha, vikram, '?peek=true');
    expect(await api.unread(asha)).toBe(5);
    const read = (up_to_seq: number) =>
      api.call(asha, 'POST', `/messaging/conversations/${vikram.userId}/read`, { up_to_seq });
    expect((await read(3)).body).toEqual({ unread_count: 2 });
    expect((await read(1)).body).toEqual({ unread_count: 2 });
    const his = await api.conversation(vikram, asha);
    expect(his.map((message) => message.is_read)).toEqual([true, true, true, false, false]);
    await api.conversation(asha, vikram, '?before=3');
    expect(await api.unread(asha)).toBe(2);
    expect((await read(99)).body).toEqual({ unread_count: 0 });
  });

  it('[CHAT-024] has an ETag and answers 304 until there is a new message, receipt or read mark', async () => {
    await api.send(asha, vikram, 'One');
    let tag = '';
    const ask = async () => {
      const response = await fetch(`${api.url}/messaging/conversations/${vikram.userId}?peek=true`, {
        headers: { ...asha.headers, ...(tag ? { 'if-none-match': tag } : {}) },
      });
      tag = response.headers.get('etag') ?? '';
      expect(tag).not.toBe('');
      return response.status;
    };
    expect([await ask(), await ask(), await ask()]).toEqual([200, 304, 304]);
    await api.conversation(vikram, asha);
    expect([await ask(), await ask()]).toEqual([200, 304]);
    await api.send(vikram, asha, 'Two');
    expect([await ask(), await ask()]).toEqual([200, 304]);
  });

  it('catches up after a position, in order, without gaps or duplicates', async () => {
    for (let i = 1; i <= 7; i += 1) await api.send(asha, vikram, `${i}`);
    const got: number[] = [];
    for (let after = 2; ; after = got.at(-1) ?? after) {
      const page = await api.conversation(vikram, asha, `?peek=true&limit=2&after=${after}`);
      if (page.length === 0) break;
      got.push(...page.map(({ seq }) => seq));
    }
    expect(got).toEqual([3, 4, 5, 6, 7]);
  });
});

describe('blocking', () => {
  const block = (by: WorldUser, other: WorldUser, method = 'POST') =>
    api.call(by, method, `/messaging/blocks/${other.userId}`);

  it('[CHAT-026] refuses only the blocked user’s messages, until the block is removed', async () => {
    await api.send(asha, vikram, 'Before');
    expect((await block(asha, vikram)).status).toBe(200);
    expect((await block(asha, vikram)).status).toBe(200);
    expect(await api.send(vikram, asha, 'Hello?')).toMatchObject({
      status: 403,
      body: { code: 'blocked', detail: 'You cannot message this person.' },
    });
    expect(await api.send(asha, vikram, 'And you?')).toMatchObject({
      status: 403,
      body: { code: 'receiver_blocked' },
    });
    expect((await api.send(vikram, meera, 'Hi')).status).toBe(201);
    expect([(await person(asha, vikram)).blocked, (await person(vikram, asha)).blocked]).toEqual([
      true,
      false,
    ]);
    expect((await api.conversation(vikram, asha)).map(({ content }) => content)).toEqual(['Before']);
    expect((await block(asha, vikram, 'DELETE')).status).toBe(200);
    expect((await api.send(vikram, asha, 'Again')).status).toBe(201);
    expect((await block(asha, asha)).status).toBe(422);
    expect((await api.call(asha, 'POST', `/messaging/blocks/${randomUUID()}`)).status).toBe(404);
  });

  it('answers a repeated request from before the block as it did then', async () => {
    const client_message_id = randomUUID();
    const first = await api.send(vikram, asha, 'Once', { client_message_id });
    await block(asha, vikram);
    const again = await api.send(vikram, asha, 'Once', { client_message_id });
    expect(again.body['message_id']).toBe(first.body['message_id']);
  });
});

describe('reports', () => {
  const admin = async (method: string, path: string, body?: unknown) =>
    api.call({ headers: await api.world.adminHeaders('support') }, method, path, body);
  const report = (details: string) =>
    api.call(asha, 'POST', '/messaging/reports', { user_id: vikram.userId, reason: 'fraud', details });
  const ofAsha = async (query = '') =>
    listIn<Report>((await admin('GET', `/admin/reports${query}`)).body).filter(
      (each) => each.reporter?.user_id === asha.userId,
    );

  it('show admins reporter, reported user and reason, once while open, and never messages', async () => {
    await api.send(vikram, asha, 'a private matter');
    expect((await report('Asked for money')).status).toBe(201);
    expect((await report('Asked for money twice')).status).toBe(201);
    const [open, ...more] = await ofAsha('?status=open');
    expect(more).toEqual([]);
    expect(open).toMatchObject({
      reporter: { char_id: asha.charId, name: 'Asha Rao' },
      reported: { user_id: vikram.userId, char_id: vikram.charId, name: 'Vikram Shah' },
      reason: 'fraud',
      details: 'Asked for money twice',
      resolved_at: null,
    });
    expect(JSON.stringify(open)).not.toContain('a private matter');
    const closed = await admin('POST', `/admin/reports/${open?._id}/resolve`, { note: 'Warned' });
    expect(closed.body).toMatchObject({ note: 'Warned', resolved_at: expect.any(String) });
    // Closing it again changes nothing; the audit log has it once.
    await admin('POST', `/admin/reports/${open?._id}/resolve`, { note: 'Twice' });
    const { db } = api.service.foundation;
    const { rows } = await sql<{ data: { action: string; target: string; reason: string } }>`
      SELECT data FROM outbox WHERE data->>'target_id' = ${open?._id}`.execute(db);
    expect(rows.map(({ data }) => data)).toEqual([
      expect.objectContaining({ action: 'report.resolved', target: vikram.charId, reason: 'Warned' }),
    ]);
    expect(await ofAsha('?status=open')).toEqual([]);
    expect((await ofAsha('?status=resolved')).length).toBe(1);
    await report('Again');
    expect((await ofAsha()).map((each) => each.details)).toEqual(['Again', 'Asked for money twice']);
    expect((await admin('POST', `/admin/reports/${randomUUID()}/resolve`, {})).status).toBe(404);
  });

  it('are filed automatically about a user who invites too many people, once while open', async () => {
    const flooder = await api.world.addUser('Flooder');
    await api.call(flooder, 'GET', `/messaging/people/${asha.userId}`);
    await api.call(asha, 'GET', `/messaging/people/${flooder.userId}`);
    const own = async () =>
      listIn<Report>((await admin('GET', '/admin/reports')).body).filter(
        ({ reported }) => reported.user_id === flooder.userId,
      );
    for (const invitations of [20, 30]) {
      await api.publish(documentsEvents.invitationsFlooded, { user_id: flooder.userId, invitations });
      await until('it is reported', async () => (await own())[0]?.details === String(invitations));
    }
    const [open, ...more] = await own();
    expect(more).toEqual([]);
    expect(open).toMatchObject({ reporter: null, reason: 'invitations', resolved_at: null });
    expect((await admin('POST', `/admin/reports/${open?._id}/resolve`, { note: 'Asked' })).status).toBe(200);
    // Only automatic reports may have this reason.
    const body = { user_id: asha.userId, reason: 'invitations' };
    expect((await api.call(vikram, 'POST', '/messaging/reports', body)).status).toBe(422);
  });

  it('need another user and a reason', async () => {
    for (const [body, status] of [
      [{ user_id: asha.userId, reason: 'spam' }, 422],
      [{ user_id: vikram.userId, reason: 'because' }, 422],
      [{ user_id: vikram.userId, reason: 'spam', details: 'x'.repeat(501) }, 422],
      [{ user_id: randomUUID(), reason: 'spam' }, 404],
    ] as const)
      expect((await api.call(asha, 'POST', '/messaging/reports', body)).status).toBe(status);
  });
});
