/**
 * What goes over the one socket of the app (socket.io, one namespace): by types only, so that the browser's bundle holds
 * no schemas. Everything the server tells is a hint about something that a call of the API answers in full; a page that
 * missed some is right again after asking.
 */
import type { Static } from 'typebox';
import type { DocumentStatus, FinalizationProgress } from '../documents/shapes.ts';
import type { Message } from './http.ts';

/** Where the socket is, at the gateway and at the service. Websocket only: no polling transport, no sticky sessions. */
export const LIVE_PATH = '/socket.io/';

/** What the server tells, each to the people concerned and nobody else. */
export type LiveEvents = {
  /** A document of the user's has changed: parties, status, files. `version` counts its changes. */
  'document.changed': { document_id: string; status: Static<typeof DocumentStatus>; version: number };
  /** The final PDF of one of the user's documents is being made: how far it is. */
  'document.progress': { document_id: string; progress: FinalizationProgress };
  /**
   * A message in a conversation of the user's, also one that the user sent elsewhere; a received one with how many are not
   * read now.
   */
  'message.new': { message: Static<typeof Message>; unread_count?: number };
  /** Somebody has read what the user wrote, up to and with this place of their conversation. */
  'message.read': { reader_id: string; up_to_seq: number };
  /** The device of somebody has got what the user wrote, up to and with this place of their conversation. */
  'message.delivered': { receiver_id: string; up_to_seq: number };
  /** How many messages the user has not read, after some were read. */
  unread: { unread_count: number };
  /** Somebody who writes with the user begins or stops typing. */
  typing: { user_id: string; typing: boolean };
  /** Somebody whom the user watches comes or goes. */
  presence: { user_id: string; online: boolean };
  /** Something may not have been told while the server's processes did not hear each other: ask. */
  missed: Record<string, never>;
  /**
   * The process behind this socket is about to end, and another one takes over: open a new socket at a moment of one's
   * own within this time, and close this one a moment after the new one is up.
   */
  'server.leaving': { within_ms: number };
};

/** What the browser may say; each is answered `{ok: true}`, or `{ok: false, code}` and has no effect. */
export type LiveCommands = {
  /** Tells a person with whom the user has a conversation. */
  typing: { to: string; typing: boolean };
  /** This device has got what `from` wrote, up to and with this place. */
  delivered: { from: string; up_to_seq: number };
  /** From now on tell me of these people, of those with whom the user has a conversation; the answer says who is here. */
  watch: { user_ids: string[] };
};

/** Answer to a {@link LiveCommands}. */
export type LiveAnswer = { ok: true; online?: string[] } | { ok: false; code: string };

/** Why a socket was refused, in the error's `data`: as the API would say it. */
export type LiveRefusal = { status: number; code: string; detail: string };
