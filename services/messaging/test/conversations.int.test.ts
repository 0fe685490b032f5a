import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { authEvents } from '@karaar/contracts/auth/events';
import { messagingRoutes } from '@karaar/contracts/messaging/http';
import { spanOf } from '@karaar/db/partitions';
import { idCardPng } from '@karaar/testing/faces/faces';
import { revokeSession } from '@karaar/testing/people/sessions';
import { partitionsRead } from '@karaar/testing/partitions';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sessionOf } from '@karaar/testing/people/tokens';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { findByClientId, listMessages } from '../src/features/conversations/conversations.repository.ts';
import { startApi, type Api, type Message } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
let meera: WorldUser;

beforeAll(async () => {
  api = await startApi('messaging');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram, meera] = await api.people();
});

const texts = (messages: Message[]) => messages.map((message) => message.content);
const storedBlobs = async () => {
  const { BLOB_DIR = '' } = api.world.env;
  const files = await readdir(`${BLOB_DIR}/messaging/objects`, { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).length;
};

describe('sending', () => {
  it('[CHAT-012] [CHAT-025] answers message_id, for any registered receiver', async () => {
    const answer = await api.send(asha, vikram, '  नमस्ते Vikram  ');
    expect(answer).toEqual({
      status: 201,
      body: {
        message_id: expect.any(String),
        message: {
          _id: answer.body['message_id'],
          sender_id: asha.userId,
          receiver_id: vikram.userId,
          content: 'नमस्ते Vikram',
          created_at: expect.any(String),
          is_read: false,
          is_delivered: false,
          seq: 1,
        },
      },
    });
    const form = await api.sendForm(asha, { receiver_id: vikram.userId, content: 'As a form' });
    expect(form.status).toBe(201);
  });

  it('[CHAT-012] [CHAT-015] accepts an attachment that only the two users can open', async () => {
    const image = await idCardPng();
    const answer = await api.sendForm(asha, {
      receiver_id: vikram.userId,
      content: 'The card',
      attachment: new File([new Uint8Array(image)], '../कार्ड.png', { type: 'text/html' }),
    });
    expect(answer.status).toBe(201);
    const [seen] = await api.conversation(vikram, asha);
    const [own] = await api.conversation(asha, vikram);
    for (const message of [seen, own]) {
      expect(message?.attachment).toEqual({
        name: 'कार्ड.png',
        mime: 'image/png',
        size: image.length,
        path: expect.stringMatching(/^\/api\/files\/messaging\//),
      });
      const path = String(message?.attachment?.path).replace('/api', '');
      const file = await fetch(`${api.url}${path}`);
      expect(file.headers.get('content-type')).toBe('image/png');
      expect(Buffer.from(await file.arrayBuffer()).equals(image)).toBe(true);
      const altered = path.replace(
        /([?&]s=)(.)/,
        (_all, name: string, first: string) => `${name}${first === 'A' ? 'B' : 'A'}`,
      );
      expect((await fetch(`${api.url}${altered}`)).status).toBe(403);
      expect((await fetch(`${api.url}${path.split('?')[0]}`)).status).toBe(403);
    }
    expect(seen?.attachment?.path).not.toBe(own?.attachment?.path);
    const open = async (message?: Message) =>
      (await fetch(`${api.url}${String(message?.attachment?.path).replace('/api', '')}`)).status;
    // Each opening checks the session of the link, and that the user is part of the conversation.
    await revokeSession(api.world.redisUrl, sessionOf(vikram));
    await until('his session is over', async () => (await open(seen)) === 401, 1_000);
    expect(await open(own)).toBe(200);
    const others = [meera.userId, vikram.userId];
    await sql`UPDATE messages SET sender_id = ${others[0]}, receiver_id = ${others[1]} WHERE id = ${own?._id}`.execute(
      api.service.foundation.db,
    );
    expect(await open(own)).toBe(403);
  });

  it('refuses and does not store an attachment of another kind or size', async () => {
    const before = await storedBlobs();
    for (const [content, status] of [
      [new Blob(['<script>']), 422],
      [new Blob([new Uint8Array(10 * 1024 * 1024 + 1)]), 413],
    ] as const) {
      const fields = { receiver_id: vikram.userId, content: 'Look', attachment: content };
      expect((await api.sendForm(asha, fields)).status).toBe(status);
    }
    const image = new Blob([new Uint8Array(await idCardPng())]);
    const unknown = { receiver_id: randomUUID(), content: 'Look', attachment: image };
    expect((await api.sendForm(asha, unknown)).status).toBe(404);
    expect(await storedBlobs()).toBe(before);
    expect(await api.conversation(asha, vikram)).toEqual([]);
  });

  it('[CHAT-013] refuses a text that is missing, empty, blank or too long', async () => {
    for (const content of [undefined, null, '', ' ', '\n\t \u00a0', 'x'.repeat(4_001), 7]) {
      const body = { receiver_id: vikram.userId, content };
      refused({ content, ...(await api.call(asha, 'POST', '/messaging/send', body)) }, 422, 'content');
    }
    // The limit counts characters, not UTF-16 units: each of these is two.
    const longest = '😀'.repeat(4_000);
    expect((await api.send(asha, vikram, longest)).status).toBe(201);
    expect(texts(await api.conversation(vikram, asha))).toEqual([longest]);
  });

  it('stores a text in NFC, without direction marks and control characters, at any length that can be typed', async () => {
    // NFC writes this letter as two characters.
    const long = '\u0958'.repeat(4_000);
    for (const content of ['\u202eHello\u0007\nyou ', long])
      expect((await api.send(asha, vikram, content)).status).toBe(201);
    const seen = await api.conversation(vikram, asha);
    expect(seen.at(-2)?.content).toBe('Hello\nyou');
    expect(seen.at(-1)?.content === long.normalize('NFC')).toBe(true);
    expect(await api.send(asha, vikram, '\u202e\u0007')).toMatchObject({ status: 422 });
  });

  it('[CHAT-014] answers 404 for an unknown receiver, and 422 for the sender as receiver', async () => {
    for (const receiver_id of [randomUUID(), 'nobody', vikram.charId]) {
      const answer = await api.call(asha, 'POST', '/messaging/send', { receiver_id, content: 'Hi' });
      expect(answer).toMatchObject({ status: 404, body: { detail: 'User not found' } });
    }
    expect((await api.send(asha, asha, 'Hi')).status).toBe(422);
    const shouted = { ...asha, userId: asha.userId.toUpperCase() };
    expect((await api.send(asha, shouted, 'Hi')).status).toBe(422);
  });

  it('reads one partition for a page of a conversation, and for a message by its client_message_id', async () => {
    const client_message_id = randomUUID();
    await api.send(asha, vikram, 'Once', { client_message_id });
    const { db } = api.service.foundation;
    const known = await findByClientId(db, asha.userId, client_message_id);
    expect(known?.content).toBe('Once');
    const quarter = [`messages_${spanOf(new Date(), 3).name}`];
    const page = (tx: typeof db) => listMessages(tx, known?.conversation_id ?? '', { limit: 100 });
    expect(await partitionsRead(db, 'messages', page)).toEqual(quarter);
    const again = (tx: typeof db) => findByClientId(tx, asha.userId, client_message_id);
    expect(await partitionsRead(db, 'messages', again)).toEqual(quarter);
  });

  it('stores one message for one client_message_id, even for ten simultaneous requests, with or without a file', async () => {
    const client_message_id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.send(asha, vikram, 'Once', { client_message_id })),
    );
    expect(new Set(answers.map((answer) => answer.body['message_id'])).size).toBe(1);
    expect((await api.send(asha, vikram, 'Other', { client_message_id })).status).toBe(409);
    expect((await api.send(asha, meera, 'Once', { client_message_id })).status).toBe(409);

    const before = await storedBlobs();
    const withFile = {
      receiver_id: vikram.userId,
      content: 'File',
      client_message_id: randomUUID(),
      attachment: new Blob([new Uint8Array(await idCardPng())]),
    };
    const [first, again] = [await api.sendForm(asha, withFile), await api.sendForm(asha, withFile)];
    expect(again.body['message_id']).toBe(first.body['message_id']);
    const { attachment: _, ...without } = withFile;
    expect((await api.sendForm(asha, without)).status).toBe(409);
    expect(await storedBlobs()).toBe(before + 1);
    // The id is unique per sender only.
    expect((await api.send(vikram, asha, 'Mine', { client_message_id })).status).toBe(201);
    const all = await api.conversation(vikram, asha);
    expect(texts(all)).toEqual(['Once', 'File', 'Mine']);
    expect(all.map((message) => message.seq)).toEqual([1, 2, 3]);
  });
});

describe('a conversation', () => {
  it('[CHAT-015] has the messages of both in one order, even if they were sent simultaneously', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 ? api.send(asha, vikram, `a${i}`) : api.send(vikram, asha, `v${i}`),
      ),
    );
    const [hers, his] = [await api.conversation(asha, vikram), await api.conversation(vikram, asha)];
    expect(texts(hers)).toEqual(texts(his));
    expect(hers.map((message) => message.seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const latest = await api.conversation(asha, vikram, '?limit=5');
    expect(latest.map((message) => message.seq)).toEqual([16, 17, 18, 19, 20]);
    const earlier = await api.conversation(asha, vikram, '?limit=5&before=16');
    expect(earlier.map((message) => message.seq)).toEqual([11, 12, 13, 14, 15]);
    for (const query of ['?limit=0', '?limit=201', '?before=0', '?before=x']) {
      const answer = await api.call(asha, 'GET', `/messaging/conversations/${vikram.userId}${query}`);
      expect({ query, status: answer.status }).toEqual({ query, status: 422 });
    }
  });

  it('[CHAT-016] never shows messages between other users', async () => {
    await api.send(asha, vikram, 'For Vikram');
    await api.send(vikram, meera, 'For Meera');
    expect(texts(await api.conversation(meera, asha))).toEqual([]);
    expect(texts(await api.conversation(meera, vikram))).toEqual(['For Meera']);
    expect(texts(await api.conversation(asha, vikram))).toEqual(['For Vikram']);
    expect(await api.conversation(asha, asha)).toEqual([]);
  });

  it('[CHAT-017] answers 404 for an unknown user', async () => {
    for (const id of [randomUUID(), 'nobody', asha.charId]) {
      expect(await api.call(asha, 'GET', `/messaging/conversations/${id}`)).toMatchObject({
        status: 404,
        body: { detail: 'User not found' },
      });
    }
  });

  it('[CHAT-018] [CHAT-015] counts the caller’s unread messages, and only the receiver marks them as read', async () => {
    expect(await api.unread(vikram)).toBe(0);
    await api.send(asha, vikram, 'One');
    await api.send(asha, vikram, 'Two');
    await api.send(meera, vikram, 'Three');
    expect([await api.unread(vikram), await api.unread(asha)]).toEqual([3, 0]);
    // Opening the conversation as the sender marks nothing as read.
    expect((await api.conversation(asha, vikram)).map((message) => message.is_read)).toEqual([false, false]);
    expect(await api.unread(vikram)).toBe(3);
    await api.conversation(vikram, asha);
    expect(await api.unread(vikram)).toBe(1);
    expect((await api.conversation(asha, vikram)).map((message) => message.is_read)).toEqual([true, true]);
  });
});

describe('access', () => {
  const calls = [
    ['POST', '/messaging/send', { receiver_id: randomUUID(), content: 'Hi' }],
    ['GET', `/messaging/conversations/${randomUUID()}`, undefined],
    ['GET', '/messaging/unread-count', undefined],
    ['GET', '/messaging/conversations', undefined],
    ['POST', `/messaging/conversations/${randomUUID()}/read`, { up_to_seq: 1 }],
    ['GET', `/messaging/people/${randomUUID()}`, undefined],
    ['POST', `/messaging/blocks/${randomUUID()}`, undefined],
    ['DELETE', `/messaging/blocks/${randomUUID()}`, undefined],
    ['POST', '/messaging/reports', { user_id: randomUUID(), reason: 'spam' }],
  ] as const;
  const adminCalls = [
    ['GET', '/admin/reports', undefined],
    ['POST', `/admin/reports/${randomUUID()}/resolve`, {}],
  ] as const;

  it('[CHAT-019] answers 401 without a token, and for an expired, forged or foreign one', async () => {
    expect(Object.keys(messagingRoutes)).toHaveLength(calls.length + adminCalls.length);
    const { issuer } = api.world;
    const tokens = [await issuer.expired(), await issuer.forged(), await issuer.foreign()];
    for (const [method, path, body] of [...calls, ...adminCalls]) {
      for (const token of [undefined, ...tokens]) {
        const caller = token === undefined ? undefined : { headers: { authorization: `Bearer ${token}` } };
        const answer = await api.call(caller, method, path, body);
        refused({ path, ...answer }, 401);
      }
    }
  });

  it('answers 403 for an admin’s token', async () => {
    const admin = { headers: await api.world.adminHeaders() };
    for (const [method, path, body] of calls) {
      expect((await api.call(admin, method, path, body)).status).toBe(403);
    }
  });

  it('answers 403 for a user’s token on the routes for admins', async () => {
    for (const [method, path, body] of adminCalls) {
      expect((await api.call(asha, method, path, body)).status).toBe(403);
    }
  });
});

describe('the copy of the users', () => {
  it('handles many simultaneous first requests about one user', async () => {
    const senders = [asha, vikram, meera];
    for (let round = 0; round < 5; round += 1) {
      const newcomer = await api.world.addUser('Kiran');
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) => api.send(senders[i % 3] ?? asha, newcomer, 'Welcome')),
      );
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    }
  });

  it('[CHAT-025] follows auth’s events, so that a user is known before any request', async () => {
    const kiran = await api.world.addUser('Kiran');
    const { db } = api.service.foundation;
    const known = () =>
      db.selectFrom('directory').select('name').where('user_id', '=', kiran.userId).executeTakeFirst();
    expect(await known()).toBeUndefined();
    const { userId } = kiran;
    await api.publish(authEvents.userRegistered, { user_id: userId }, { aggregateId: userId });
    await until('she is known', async () => (await known())?.name === 'Kiran');
    expect((await api.send(asha, kiran, 'Welcome')).status).toBe(201);
  });
});
