/** A stopping process hands its sockets over: no user misses a message, and no user appears offline. */
import { jest } from '@jest/globals';
import type { LiveEvents } from '@karaar/contracts/messaging/live';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { io, type Socket } from 'socket.io-client';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

/** The process's drain time, and how long a page keeps the old socket open next to the new one. */
const WAIT_MS = 3_000;
const LINGER_MS = 1_000;

let api: Api;
let leaver: Awaited<ReturnType<typeof createApp>>;
const sockets: Socket[] = [];

beforeAll(async () => {
  api = await startApi('leaving');
  leaver = await createApp(readConfig({ ...api.world.env, DRAIN_WAIT_MS: String(WAIT_MS) }));
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await leaver.app.close();
  await leaver.close();
  await api.stop();
});

async function open(user: WorldUser, url: string): Promise<Socket> {
  const socket = io(url, {
    transports: ['websocket'],
    auth: { token: user.token },
    forceNew: true,
    reconnection: false,
  });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

it('loses no message during the move, and keeps users online', async () => {
  const [asha, vikram] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
  await api.send(asha, vikram, 'The first one');
  const watcher = await open(asha, api.url);
  const presence: LiveEvents['presence'][] = [];
  watcher.on('presence', (news: LiveEvents['presence']) => presence.push(news));

  const got = new Set<string>();
  const hear = (socket: Socket) =>
    socket.on('message.new', ({ message }: LiveEvents['message.new']) => got.add(message.content));
  const old = await open(vikram, leaver.url);
  hear(old);
  await watcher.emitWithAck('watch', { user_ids: [vikram.userId] });

  let moved: Socket | undefined;
  let withinMs = 0;
  old.on('server.leaving', ({ within_ms }: LiveEvents['server.leaving']) => {
    withinMs = within_ms;
    setTimeout(() => {
      void open(vikram, api.url).then((socket) => {
        hear(socket);
        moved = socket;
        setTimeout(() => old.disconnect(), LINGER_MS);
      });
    }, within_ms / 4);
  });

  const sent: string[] = [];
  let sending = true;
  const sender = (async () => {
    for (let at = 1; sending; at += 1) {
      const { status } = await api.send(asha, vikram, `Message ${at}`);
      expect(status).toBe(201);
      sent.push(`Message ${at}`);
    }
  })();
  await until('messages arrive at the old process', async () => got.size > 10);
  leaver.app.startDraining();
  await expect(open(vikram, leaver.url)).rejects.toThrow();
  await until('the page has moved', async () => moved !== undefined);
  expect(withinMs).toBeGreaterThan(0);
  expect(withinMs).toBeLessThan(WAIT_MS);
  const atMove = got.size;
  await until('the old one is closed', async () => old.disconnected);
  await leaver.app.close();
  await until('messages arrive at the new process', async () => got.size > atMove + 10);
  sending = false;
  await sender;
  await until('the last one arrives', async () => sent.every((content) => got.has(content)));
  expect(presence.filter(({ online }) => !online)).toEqual([]);
});
