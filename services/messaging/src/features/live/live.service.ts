import type { LiveAnswer, LiveEvents } from '@karaar/contracts/messaging/live';
import type { Foundation } from '@karaar/service';
import type { Db } from '../../db/schema.ts';
import type { BatchedStatements } from '../../batched-statements.ts';
import { deliverAll, partnersAmong } from './live.repository.ts';
import { isCommand, userRoom, watchersRoom, type Command, type CommandName } from './live.ts';
import type { Presence } from './live.presence.ts';
import type { Cluster } from './live.cluster.ts';
import type { LiveServer, LiveSocket, RoomEvent } from './live.server.ts';

export type Live = {
  /**
   * Sends to every socket of a user, at every process. A hint: it may be lost, and the caller does not wait.
   */
  send: <E extends keyof LiveEvents>(userId: string, event: E, data: LiveEvents[E]) => void;
  /** Sends a user's presence to all who watch the user, at every process. */
  announce: (userId: string, online: boolean) => void;
  /** Stops two users from watching each other's presence. */
  part: (userId: string, otherId: string) => void;
};

export function createLive(io: LiveServer, sendToRoom: Cluster['send']): Live {
  const leave = (userId: string, otherId: string) => {
    const [room, watched] = [userRoom(userId), watchersRoom(otherId)];
    // The local call works even if Redis is down.
    io.local.in(room).socketsLeave(watched);
    io.in(room).socketsLeave(watched);
  };
  return {
    // The parameters of `send` already type the pair.
    send: (userId, event, data) => sendToRoom(...([userRoom(userId), event, data] as unknown as RoomEvent)),
    announce: (userId, online) => sendToRoom(watchersRoom(userId), 'presence', { user_id: userId, online }),
    part: (userId, otherId) => {
      leave(userId, otherId);
      leave(otherId, userId);
    },
  };
}

type Parts = Pick<Foundation<unknown>, 'logger'> & {
  db: Db;
  batched: BatchedStatements;
  live: Live;
  presence: Presence;
};

export function hearCommands(io: LiveServer, parts: Parts): void {
  io.on('connection', (socket) => {
    const me = socket.data.principal.userId;
    const on = <N extends CommandName>(name: N, act: (data: Command<N>) => Promise<LiveAnswer>) => {
      const hear = (data: unknown, answer?: unknown) => {
        const reply =
          typeof answer === 'function' ? (answer as (answer: LiveAnswer) => void) : () => undefined;
        if (!isCommand(name, data)) return reply({ ok: false, code: 'invalid' });
        act(data).then(reply, (err: unknown) => {
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
      parts.live.send(to, 'typing', { user_id: me, typing });
      return { ok: true };
    });
    on('delivered', async ({ from, up_to_seq }) => {
      const receipt = { receiverId: me, senderId: from, upToSeq: up_to_seq };
      const advanced = await parts.batched.advanceDelivered(receipt);
      if (advanced !== null)
        parts.live.send(from, 'message.delivered', { receiver_id: me, up_to_seq: advanced });
      return { ok: true };
    });
    on('watch', ({ user_ids }) => watch(socket, parts, user_ids));
    announcePresence(socket, parts);
    sendDelivered(parts, me).catch((err: unknown) =>
      parts.logger.warn({ err }, 'who had written before could not be told that it has arrived'),
    );
  });
}

async function sendDelivered({ db, live }: Parts, me: string): Promise<void> {
  for (const { other_id, seq } of await deliverAll(db, me))
    live.send(other_id, 'message.delivered', { receiver_id: me, up_to_seq: seq });
}

async function watch(socket: LiveSocket, { db, presence }: Parts, userIds: string[]): Promise<LiveAnswer> {
  const allowed = await partnersAmong(db, socket.data.principal.userId, userIds);
  await socket.join(allowed.map(watchersRoom));
  return { ok: true, online: await presence.hereAmong(allowed) };
}

/** Informs the watchers of a user when the first socket opens and when the last one closes. */
function announcePresence(socket: LiveSocket, { live, logger, presence }: Parts): void {
  const me = socket.data.principal.userId;
  const note = (err: unknown) => logger.warn({ err }, 'that somebody comes or goes could not be told');
  presence.enter(me).then(() => live.announce(me, true), note);
  socket.once('disconnect', () => {
    presence.leave(me).then((wentOffline) => wentOffline && live.announce(me, false), note);
  });
}
