/** The rules of the socket, free of sockets. */
import { Uuid } from '@karaar/contracts/kit';
import { SEQ_MAX } from '@karaar/contracts/limits';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** Bytes of one message from a browser; what browsers say is short. */
export const MAX_MESSAGE_BYTES = 8 * 1024;
/** Milliseconds that a connection may take to say who it is. */
export const HANDSHAKE_MS = 3_000;
/** Sockets of one user at one process: tabs and devices. */
export const MAX_SOCKETS_PER_USER = 20;
/** What one socket may say: this many at once, and this many per second on the whole. */
export const BURST = 40;
export const PER_SECOND = 10;
/** People whom one socket may watch. */
export const MAX_WATCHED = 200;
/** Milliseconds after which an event is too old to be sent to open pages. */
export const NEWS_MS = 60_000;

/** What a browser may say, by name. */
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

/** Whether what a browser says has the shape of its name. */
export const isCommand = <N extends CommandName>(name: N, data: unknown): data is Command<N> =>
  checks[name].Check(data);

/** The room of a user: every socket of that person is in it, and the server alone puts it there. */
export const userRoom = (userId: string): string => `user:${userId}`;
/** The room of those who are told when a user comes or goes. */
export const watchersRoom = (userId: string): string => `watch:${userId}`;

/** A bucket of tokens; `take` says whether one more may be said now. @param now milliseconds */
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

/** Seconds since 1970 at which a token that was already verified ends. */
export function tokenEnd(token: string): number {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    exp: number;
  };
  return payload.exp;
}
