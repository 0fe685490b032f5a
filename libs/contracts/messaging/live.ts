/**
 * What goes over the one socket of the app (socket.io, one namespace): by types only, so that the browser's bundle
 * holds no schemas. Every server message is a hint about data that an API call returns in full; a page that missed
 * some is correct again after that call.
 */
import type { Static } from 'typebox';
import type { DocumentStatus, FinalizationProgress } from '../documents/shapes.ts';
import type { Message } from './http.ts';

/** Where the socket is, at the gateway and at the service. Websocket only: no polling transport, no sticky sessions. */
export const LIVE_PATH = '/socket.io/';

/** The server's messages, each to the users concerned only. */
export type LiveEvents = {
  /** A document of the user's has changed: parties, status, files. `version` counts its changes. */
  'document.changed': { document_id: string; status: Static<typeof DocumentStatus>; version: number };
  /** The final PDF of one of the user's documents is being made: how far it is. */
  'document.progress': { document_id: string; progress: FinalizationProgress };
  /**
   * A message in one of the user's conversations, including messages that the user sent from another page; a received
   * message comes with the number of unread ones.
   */
  'message.new': { message: Static<typeof Message>; unread_count?: number };
  /** The other user has read the user's messages up to and including this place of their conversation. */
  'message.read': { reader_id: string; up_to_seq: number };
  /** The other user's device has received the user's messages up to and including this place of their conversation. */
  'message.delivered': { receiver_id: string; up_to_seq: number };
  /** The number of unread notifications, after a new one or after reading elsewhere. */
  notifications: { unread_count: number };
  /** How many messages the user has not read, after some were read. */
  unread: { unread_count: number };
  /** The other user of a conversation begins or stops typing. */
  typing: { user_id: string; typing: boolean };
  /** A user whose presence this user watches comes online or goes offline. */
  presence: { user_id: string; online: boolean };
  /**
   * Messages may have been lost while the server's processes were disconnected from each other: load the data again.
   */
  missed: Record<string, never>;
  /**
   * The process behind this socket is about to end, and another one takes over: open a new socket at a moment of one's
   * own within this time, and close this one a moment after the new one is up.
   */
  'server.leaving': { within_ms: number };
};

/** The browser's messages; each is answered `{ok: true}`, or `{ok: false, code}` and then has no effect. */
export type LiveCommands = {
  /** Tells a person with whom the user has a conversation. */
  typing: { to: string; typing: boolean };
  /** This device has received the messages of `from` up to and including this position. */
  delivered: { from: string; up_to_seq: number };
  /**
   * Watches the presence of these users, as far as the user has a conversation with them; the answer lists who is
   * online.
   */
  watch: { user_ids: string[] };
};

/** Answer to a {@link LiveCommands}. */
export type LiveAnswer = { ok: true; online?: string[] } | { ok: false; code: string };

/** Why a socket was refused, in the error's `data`, in the form of the API's errors. */
export type LiveRefusal = { status: number; code: string; detail: string };
