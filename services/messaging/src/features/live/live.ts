import { Uuid } from '@karaar/contracts/kit';
import { SEQ_MAX } from '@karaar/contracts/limits';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** The largest message from a browser, in bytes. */
export const MAX_MESSAGE_BYTES = 8 * 1024;
/** Milliseconds that a connection may take to authenticate. */
export const HANDSHAKE_MS = 3_000;
export const MAX_SOCKETS_PER_USER = 20;
/** The rate limit of one socket: a burst, and a sustained rate per second. */
export const BURST = 40;
export const PER_SECOND = 10;
export const MAX_WATCHED = 200;
/** Milliseconds after which an event is too old to be sent to open pages. */
export const NEWS_MS = 60_000;

const shapes = {
  typing: Type.Object({ to: Uuid, typing: Type.Boolean() }),
  delivered: Type.Object({ from: Uuid, up_to_seq: Type.Integer({ minimum: 1, maximum: SEQ_MAX }) }),
  watch: Type.Object({ user_ids: Type.Array(Uuid, { maxItems: MAX_WATCHED }) }),
};
export type CommandName = keyof typeof shapes;
export type Command<N extends CommandName> = Static<(typeof shapes)[N]>;
const checks = {
  typing: Compile(shapes.typing),
  delivered: Compile(shapes.delivered),
  watch: Compile(shapes.watch),
};

/** Returns true if a command's data has the shape of its name. */
export const isCommand = <N extends CommandName>(name: N, data: unknown): data is Command<N> =>
  checks[name].Check(data);

/** Returns the room of a user's sockets; only the server puts sockets into it. */
export const userRoom = (userId: string): string => `user:${userId}`;
/** Returns the room of the sockets that watch a user's presence. */
export const watchersRoom = (userId: string): string => `watch:${userId}`;

/**
 * Returns a token bucket; `take` returns true if another message is allowed.
 * @param now milliseconds
 */
export function createBucket(burst: number, perSecond: number): { take: (now: number) => boolean } {
  let tokens = burst;
  let at: number | null = null;
  return {
    take: (now) => {
      tokens = Math.min(burst, tokens + ((now - (at ?? now)) / 1_000) * perSecond);
      at = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}

/** Returns when a verified token expires, in seconds since 1970. */
export function tokenEnd(token: string): number {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    exp: number;
  };
  return payload.exp;
}
