/**
 * The messages on the app's only socket (socket.io, one namespace), as types only, so that the browser's
 * bundle contains no schemas. Every server message is a hint about data that an API call returns in full;
 * after missed messages that call corrects the page.
 */
import type { Static } from 'typebox';
import type { DocumentStatus, FinalizationProgress } from '../documents/shapes.ts';
import type { Message } from './http.ts';

/**
 * The socket's path, at the gateway and at the service. Websocket only: no polling transport, no sticky
 * sessions.
 */
export const LIVE_PATH = '/socket.io/';

/** The server's messages, each sent to the affected users only. */
export type LiveEvents = {
  /** A document of the user has changed: parties, status, files. `version` counts its changes. */
  'document.changed': { document_id: string; status: Static<typeof DocumentStatus>; version: number };
  /** Progress of making the final PDF of one of the user's documents. */
  'document.progress': { document_id: string; progress: FinalizationProgress };
  /**
   * A message in one of the user's conversations, including messages that the user sent from another page; a
   * received message has the number of unread ones.
   */
  'message.new': { message: Static<typeof Message>; unread_count?: number };
  /** The other user has read the user's messages up to this position of the conversation. */
  'message.read': { reader_id: string; up_to_seq: number };
  /** The other user's device has received the user's messages up to this position of the conversation. */
  'message.delivered': { receiver_id: string; up_to_seq: number };
  /** The number of unread notifications, after a new one or after reading on another page. */
  notifications: { unread_count: number };
  /** The number of messages that the user has not read, after some were read. */
  unread: { unread_count: number };
  /** The other user of a conversation begins or stops typing. */
  typing: { user_id: string; typing: boolean };
  /** A user whose presence this user watches comes online or goes offline. */
  presence: { user_id: string; online: boolean };
  /**
   * Messages may have been lost while the server's processes were disconnected from each other: load the data
   * again.
   */
  missed: Record<string, never>;
  /**
   * The process behind this socket is about to end, and another one takes over: open a new socket at a random
   * moment within this time, and close this one shortly after the new one is connected.
   */
  'server.leaving': { within_ms: number };
};

/** The browser's messages; the reply is `{ok: true}`, or `{ok: false, code}` if the message had no effect. */
export type LiveCommands = {
  /** Notifies a user with whom the caller has a conversation. */
  typing: { to: string; typing: boolean };
  /** This device has received the messages of `from` up to this position. */
  delivered: { from: string; up_to_seq: number };
  /**
   * Watches the presence of these users if the caller has a conversation with them; the reply lists those
   * online.
   */
  watch: { user_ids: string[] };
};

/** Reply to a {@link LiveCommands}. */
export type LiveAnswer = { ok: true; online?: string[] } | { ok: false; code: string };

/** Why a socket was rejected, in the error's `data`, in the form of the API's errors. */
export type LiveRefusal = { status: number; code: string; detail: string };
