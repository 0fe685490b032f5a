/** Telling people what concerns them, and what their pages may say to each other. */
import type { LiveAnswer, LiveEvents } from '@karaar/contracts/messaging/live';
import { Value } from 'typebox/value';
import type { Db } from '@karaar/platform/db-kit';
import type { Foundation } from '@karaar/platform/service';
import type { Database } from '../../db/schema.ts';
import { advanceDelivered, partnersAmong } from './live.repository.ts';
import { commandShapes, userRoom, watchersRoom, type Command, type CommandName } from './live.ts';
import type { LiveServer, LiveSocket } from './live.sockets.ts';

/** How the rest of the service tells people something. */
export type Live = {
  /** To every socket of a user, at every process. A hint: it may be lost, and is not waited for. */
  tell: <E extends keyof LiveEvents>(userId: string, event: E, data: LiveEvents[E]) => void;
};

export const createLive = (io: LiveServer): Live => ({
  tell: (userId, event, data) => {
    // socket.io types its arguments per event; the pair is typed by `tell` itself.
    (io.to(userRoom(userId)) as { emit: (event: string, data: unknown) => boolean }).emit(event, data);
  },
});

type Parts = Pick<Foundation<unknown>, 'logger'> & { db: Db<Database>; live: Live };

/** Answers what browsers say. */
export function hearCommands(io: LiveServer, parts: Parts): void {
  io.on('connection', (socket) => {
    const me = socket.data.principal.userId;
    const on = <N extends CommandName>(name: N, act: (data: Command<N>) => Promise<LiveAnswer>) => {
      const hear = (data: unknown, answer?: unknown) => {
        const reply =
          typeof answer === 'function' ? (answer as (answer: LiveAnswer) => void) : () => undefined;
        if (!Value.Check(commandShapes[name], data)) return reply({ ok: false, code: 'invalid' });
        act(data as Command<N>).then(reply, (err: unknown) => {
          parts.logger.error({ err, command: name }, 'a command of a socket failed');
          reply({ ok: false, code: 'internal' });
        });
      };
      (socket as { on: (name: string, hear: (data: unknown, answer?: unknown) => void) => void }).on(
        name,
        hear,
      );
    };
    on('typing', async ({ to, typing }) => {
      if ((await partnersAmong(parts.db, me, [to])).length === 0)
        return { ok: false, code: 'no_conversation' };
      parts.live.tell(to, 'typing', { user_id: me, typing });
      return { ok: true };
    });
    on('delivered', async ({ from, up_to_seq }) => {
      const advanced = await advanceDelivered(parts.db, {
        receiverId: me,
        senderId: from,
        upToSeq: up_to_seq,
      });
      if (advanced !== null)
        parts.live.tell(from, 'message.delivered', { receiver_id: me, up_to_seq: advanced });
      return { ok: true };
    });
    on('watch', ({ user_ids }) => watch(io, socket, parts.db, user_ids));
    void announcePresence(io, socket, parts);
  });
}

async function watch(
  io: LiveServer,
  socket: LiveSocket,
  db: Db<Database>,
  userIds: string[],
): Promise<LiveAnswer> {
  const allowed = await partnersAmong(db, socket.data.principal.userId, userIds);
  await socket.join(allowed.map(watchersRoom));
  const here = await Promise.all(allowed.map(async (id) => ((await isHere(io, id)) ? [id] : [])));
  return { ok: true, online: here.flat() };
}

/** Whether somebody has a socket at any process. */
const isHere = async (io: LiveServer, userId: string): Promise<boolean> =>
  (await io.in(userRoom(userId)).fetchSockets()).length > 0;

/** Tells the watchers of a user when the first socket comes and when the last one is gone. */
async function announcePresence(io: LiveServer, socket: LiveSocket, { logger }: Parts): Promise<void> {
  const me = socket.data.principal.userId;
  const tell = (online: boolean) => io.to(watchersRoom(me)).emit('presence', { user_id: me, online });
  tell(true);
  socket.once('disconnect', () => {
    isHere(io, me).then(
      (here) => !here && tell(false),
      (err: unknown) => logger.warn({ err }, 'whether somebody is still here could not be asked'),
    );
  });
}
