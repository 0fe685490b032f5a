/** The socket with one and two processes: admission, delivery and closing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { LiveAnswer, LiveEvents, LiveRefusal } from '@karaar/contracts/messaging/live';
import type { WorldUser } from '@karaar/testing/service-world';
import { Redis } from 'ioredis';
import { revokeSession } from '@karaar/testing/people/sessions';
import { sessionOf } from '@karaar/testing/people/tokens';
import { until } from '@karaar/testing/until';
import { idCardPng } from '@karaar/testing/faces/faces';
import { io, type Socket } from 'socket.io-client';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

type ReceivedEvent = { event: string; data: unknown };
type Page = {
  socket: Socket;
  received: ReceivedEvent[];
  of: <E extends keyof LiveEvents>(event: E) => LiveEvents[E][];
};

let api: Api;
let second: Awaited<ReturnType<typeof createApp>>;
/** The connections of the first process to the others. */
let ofFirst: string[];
let asha: WorldUser;
let vikram: WorldUser;
let stranger: WorldUser;
const pages: Socket[] = [];

beforeAll(async () => {
  api = await startApi('live');
  const redis = new Redis(api.world.redisUrl);
  await until('it is connected', async () => (ofFirst = await connectionIds(redis)).length === 2);
  redis.disconnect();
  second = await createApp(readConfig(api.world.env));
}, 120_000);
afterAll(async () => {
  for (const page of pages) page.disconnect();
  await second.app.close();
  await second.close();
  await api.stop();
});
beforeEach(async () => {
  [asha, vikram, stranger] = await api.people();
});

function connect(token: unknown, url = api.url): Socket {
  const socket = io(url, { transports: ['websocket'], auth: { token }, forceNew: true, reconnection: false });
  pages.push(socket);
  return socket;
}

async function open(user: WorldUser, url?: string): Promise<Page> {
  const socket = connect(user.token, url);
  const received: ReceivedEvent[] = [];
  socket.onAny((event: string, data: unknown) => received.push({ event, data }));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  // The socket's data is untyped; the event's name gives the type.
  const of: Page['of'] = (event) =>
    received.filter((each) => each.event === event).map(({ data }) => data as never);
  return { socket, received, of };
}

const refusal = (token: unknown) =>
  new Promise<LiveRefusal | 'let in'>((resolve) => {
    const socket = connect(token);
    socket.once('connect', () => resolve('let in'));
    socket.once('connect_error', (error) => resolve((error as Error & { data: LiveRefusal }).data));
  });

const ended = (page: Page) => until('the socket is closed', async () => page.socket.disconnected);
/** Waits long enough for an event that must not arrive. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Closes, for more than two of the processes' hellos, the connections between them that `isCut` names. */
async function cut(isCut: (id: string) => boolean): Promise<void> {
  const redis = new Redis(api.world.redisUrl);
  for (const deadline = Date.now() + 3_500; Date.now() < deadline; await sleep(20))
    for (const id of (await connectionIds(redis)).filter(isCut)) await redis.client('KILL', 'ID', id);
  redis.disconnect();
}

async function connectionIds(redis: Redis): Promise<string[]> {
  const here = `db=${redis.options.db ?? 0} `;
  const lines = String(await redis.client('LIST')).split('\n');
  const own = lines.filter((line) => line.includes('name=messaging-live ') && line.includes(here));
  return own.map((line) => /^id=(\d+)/.exec(line)?.[1] ?? '');
}

const wereTold = (...told: Page[]) =>
  until('the pages are told to ask', async () =>
    told.every((page) => page.of('missed').length > 0 && page.socket.connected),
  );

type About = { documentId?: string; occurredAt?: string };

function publish(event: Parameters<Api['publish']>[0], data: object, { documentId, ...fields }: About) {
  const aggregateId = documentId ?? randomUUID();
  return api.publish(
    event,
    { document_id: aggregateId, ...data },
    { aggregateId, aggregateVersion: 7, ...fields },
  );
}

const documentChanged = (people: WorldUser[], fields: About = {}, event = documentsEvents.changed) => {
  const involved_users = people.map(({ userId }) => userId);
  const data = { status: 'approved', primary_user: people[0]?.userId, involved_users };
  return publish(event, data, fields);
};

describe('admission', () => {
  it('refuses every token but a live one of a user, with the status of the API', async () => {
    const { issuer } = api.world;
    const revoked = await api.world.addUser('Gone');
    await revokeSession(api.world.redisUrl, sessionOf(revoked));
    const tokens: [string, unknown, number][] = [
      ['none', undefined, 401],
      ['empty', '', 401],
      ['not a text', { $ne: '' }, 401],
      ['nonsense', 'abc', 401],
      ['unsigned', `${btoa('{"alg":"none"}')}.${asha.token.split('.')[1]}.`, 401],
      ['forged', await issuer.forged({ userId: asha.userId, charId: asha.charId }), 401],
      ['expired', await issuer.expired({ userId: asha.userId, charId: asha.charId }), 401],
      ['foreign', await issuer.foreign({ userId: asha.userId, charId: asha.charId }), 401],
      ['revoked', revoked.token, 401],
      ["an admin's", await issuer.admin(), 403],
    ];
    for (const [kind, token, status] of tokens)
      expect([kind, await refusal(token)]).toEqual([
        kind,
        { status, code: expect.any(String), detail: expect.any(String) },
      ]);
    expect(await refusal(asha.token)).toBe('let in');
  });

  it('closes a connection that does not authenticate, and has no other transport', async () => {
    const bare = new WebSocket(`${api.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    const closed = new Promise((resolve) => bare.addEventListener('close', resolve));
    await closed;
    const polling = await fetch(`${api.url}/socket.io/?EIO=4&transport=polling`);
    expect(polling.status).toBe(400);
  });
});

describe('the end of a session', () => {
  it('closes every socket of that session within a second, at each process, and no other socket', async () => {
    const [here, there, other] = await Promise.all([open(asha), open(asha, second.url), open(vikram)]);
    const start = performance.now();
    await revokeSession(api.world.redisUrl, sessionOf(asha));
    await Promise.all([ended(here), ended(there)]);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(other.socket.connected).toBe(true);
    await until('she is not let in again', async () => (await refusal(asha.token)) !== 'let in');
  });

  it('closes a socket when its token expires', async () => {
    const claims = { sub: asha.userId, sid: randomUUID(), char_id: asha.charId };
    const token = await api.world.issuer.sign(claims, { audience: 'karaar:user', expires: '2s' });
    const page = await open({ ...asha, token });
    await ended(page);
  });
});

describe('events', () => {
  it.each([
    ['a document', documentsEvents.changed],
    ['a paid share', documentsEvents.paymentRecorded],
  ])('sends %s only to the users involved, at any process', async (_, event) => {
    const [own, afar, foreign] = await Promise.all([open(asha), open(vikram, second.url), open(stranger)]);
    const documentId = randomUUID();
    await documentChanged([asha, vikram], { documentId }, event);
    const expected = { document_id: documentId, status: 'approved', version: 7 };
    await until(
      'both know',
      async () => own.of('document.changed').length + afar.of('document.changed').length === 2,
    );
    expect(own.of('document.changed')).toEqual([expected]);
    expect(afar.of('document.changed')).toEqual([expected]);
    await aMoment();
    expect(foreign.received).toEqual([]);
  });

  it('sends the progress of the final PDF only to the parties', async () => {
    const [own, afar, foreign] = await Promise.all([open(asha), open(vikram, second.url), open(stranger)]);
    const documentId = randomUUID();
    const progress = { step: 'files', done: 1, total: 3, percent: 15, no: 2 } as const;
    const data = { involved_users: [asha.userId, vikram.userId], progress };
    const old = new Date(Date.now() - 120_000).toISOString();
    await publish(documentsEvents.finalizationProgressed, data, { occurredAt: old });
    await publish(documentsEvents.finalizationProgressed, data, { documentId });
    const expected = { document_id: documentId, progress };
    await until('both know', async () =>
      [own, afar].every((page) => page.of('document.progress').length > 0),
    );
    expect(own.of('document.progress')).toEqual([expected]);
    expect(afar.of('document.progress')).toEqual([expected]);
    await aMoment();
    expect(foreign.received).toEqual([]);
  });

  it('does not send old events', async () => {
    const page = await open(asha);
    await documentChanged([asha], { occurredAt: new Date(Date.now() - 120_000).toISOString() });
    const documentId = randomUUID();
    await documentChanged([asha], { documentId });
    await until('the new one is known', async () => page.of('document.changed').length > 0);
    expect(page.of('document.changed').map(({ document_id }) => document_id)).toEqual([documentId]);
  });

  it('[CHAT-020] [CHAT-021] sends a message to both sides, the count to the receiver, and the read mark to the sender', async () => {
    const [sender, receiver, foreign] = await Promise.all([
      open(asha),
      open(vikram, second.url),
      open(stranger),
    ]);
    await api.send(asha, vikram, 'Hello');
    await until(
      'both know',
      async () => sender.of('message.new').length + receiver.of('message.new').length === 2,
    );
    expect(receiver.of('message.new')[0]?.message).toMatchObject({
      content: 'Hello',
      seq: 1,
      sender_id: asha.userId,
    });
    // A link is valid for one session, and all sessions of a user get the same event: each page requests its
    // own.
    const attachment = new File([new Uint8Array(await idCardPng())], 'card.png');
    await api.sendForm(asha, { receiver_id: vikram.userId, content: 'A file', attachment });
    await until('it is told', async () => receiver.of('message.new').length === 2);
    expect(receiver.of('message.new')[1]?.message.attachment).toMatchObject({ name: 'card.png', path: '' });
    expect(receiver.of('message.new')[0]?.unread_count).toBe(1);
    expect(sender.of('message.new')[0]).not.toHaveProperty('unread_count');
    await api.conversation(vikram, asha);
    await until('it is read', async () => sender.of('message.read').length > 0);
    expect(sender.of('message.read')).toEqual([{ reader_id: vikram.userId, up_to_seq: 2 }]);
    await until('nothing is left', async () => receiver.of('unread').at(-1)?.unread_count === 0);
    expect(foreign.received).toEqual([]);
  });

  it('puts no socket into a room that it asks for', async () => {
    const [page, victim] = await Promise.all([open(stranger), open(asha)]);
    for (const name of ['join', 'subscribe', 'document.changed'])
      page.socket.emit(name, `user:${asha.userId}`, { room: `user:${asha.userId}` });
    page.socket.emit('message.new', { message: { content: 'forged' } });
    await documentChanged([asha]);
    await until('she knows', async () => victim.received.length > 0);
    await aMoment();
    expect(page.received).toEqual([]);
    expect(victim.of('message.new')).toEqual([]);
  });
});

describe('commands of pages', () => {
  const say = (page: Page, command: string, data: unknown): Promise<LiveAnswer> =>
    page.socket.timeout(5_000).emitWithAck(command, data) as Promise<LiveAnswer>;

  it('[CHAT-022] [CHAT-023] passes typing, delivery and presence on only between users with a conversation', async () => {
    await api.send(asha, vikram, 'One');
    await api.send(asha, vikram, 'Two');
    const watcher = await open(asha);
    const foreign = await open(stranger);
    expect(await say(watcher, 'watch', { user_ids: [vikram.userId, stranger.userId] })).toEqual({
      ok: true,
      online: [],
    });
    const other = await open(vikram, second.url);
    await until('he is here', async () => watcher.of('presence').length > 0);
    expect(await say(watcher, 'watch', { user_ids: [vikram.userId, stranger.userId] })).toEqual({
      ok: true,
      online: [vikram.userId],
    });

    expect(await say(other, 'typing', { to: asha.userId, typing: true })).toEqual({ ok: true });
    expect(await say(foreign, 'typing', { to: asha.userId, typing: true })).toEqual({
      ok: false,
      code: 'no_conversation',
    });
    // Connecting has delivered the waiting messages to him. A position beyond the last message counts as the
    // last; a lower one is ignored.
    await api.send(asha, vikram, 'Three');
    await api.send(asha, vikram, 'Four');
    for (const up_to_seq of [3, 99, 1]) await say(other, 'delivered', { from: asha.userId, up_to_seq });
    await say(foreign, 'delivered', { from: asha.userId, up_to_seq: 1 });
    await until('it is delivered', async () => watcher.of('message.delivered').length === 3);
    expect(watcher.of('message.delivered').map(({ up_to_seq }) => up_to_seq)).toEqual([2, 3, 4]);
    expect(watcher.of('typing')).toEqual([{ user_id: vikram.userId, typing: true }]);
    other.socket.disconnect();
    await until('he is gone', async () => watcher.of('presence').some(({ online }) => !online));
    expect(watcher.of('presence').every(({ user_id }) => user_id === vikram.userId)).toBe(true);
  });

  it('answers invalid commands, and closes on floods and on messages that are too long', async () => {
    const page = await open(asha);
    for (const data of [null, {}, { to: 'x', typing: true }, { to: vikram.userId, typing: 'yes' }])
      expect(await say(page, 'typing', data)).toEqual({ ok: false, code: 'invalid' });
    for (let i = 0; i < 200; i += 1) page.socket.emit('typing', {});
    await ended(page);
    const long = await open(asha);
    long.socket.emit('typing', { to: 'x'.repeat(20_000) });
    await ended(long);
  });
});

it('lets a page that lost its socket reconnect and find what it missed by asking', async () => {
  const page = await open(vikram);
  page.socket.io.engine.close();
  await ended(page);
  await api.send(asha, vikram, 'While you were away');
  page.socket.connect();
  await until('it is back', async () => page.socket.connected);
  expect((await api.conversation(vikram, asha)).map(({ content }) => content)).toEqual([
    'While you were away',
  ]);
});

it('informs the pages of a process that seemed to be alone while another one was cut off', async () => {
  const own = await open(asha);
  await cut((id) => !ofFirst.includes(id));
  await wereTold(own);
});

it('informs pages that they may have missed events when processes find each other again', async () => {
  const [own, afar] = await Promise.all([open(asha), open(vikram, second.url)]);
  await cut(() => true);
  await wereTold(own, afar);
  await api.send(asha, vikram, 'Do you hear me again?');
  await until('he hears her', async () => afar.of('message.new').length > 0);
});
