import {
  ApiError,
  call,
  serverClock,
  sessionStore,
  toastText,
  type LiveClient,
  type SessionUser,
} from '@karaar/api-client';
import { messagingRoutes, type Message } from '@karaar/contracts/messaging/http';
import { toast } from '@karaar/ui';
import { createStore, del, set, values } from 'idb-keyval';
import { useEffect, useSyncExternalStore } from 'react';
import { useShell, useUser } from '../../../shared/useShell.ts';
import { createOutbox, type Unsent } from './outbox.ts';
import { chatTexts } from '../texts.ts';

/** Milliseconds between retries: short at first, for brief interruptions. */
const waits = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

function signedIn(): string | null {
  const text = sessionStore.token() && sessionStore.userText();
  return text ? (JSON.parse(text) as SessionUser).user_id : null;
}

let kept: ReturnType<typeof createStore> | null = null;
const store = () => (kept ??= createStore('karaar-chat', 'unsent'));

const sentListeners = new Set<(message: Message) => void>();
const wakers = new Set<() => void>();
const wake = () => wakers.forEach((each) => each());

/** One per page, so that sending continues on other screens. */
const outbox = createOutbox<Message>({
  store: {
    all: () => values<Unsent>(store()),
    put: (message) => set(message.id, message, store()),
    remove: (id) => del(id, store()),
  },
  send: async ({ id, userId, to, content, file }) => {
    // The user has signed out, and another may sign in: do not send in the other user's name.
    if (signedIn() !== userId) throw new ApiError(0, null);
    const fields = { receiver_id: to, content, client_message_id: id };
    const files = file ? { attachment: file } : {};
    return (await call(messagingRoutes.send, { fields, files })).message;
  },
  mayPass: (error) =>
    !(error instanceof ApiError) ||
    [0, 401].includes(error.status) ||
    // A rate limit passes by itself; the limit of new contacts does not within a retry or two, so the user is
    // told.
    (error.status === 429 && error.code !== 'too_many_strangers') ||
    error.status >= 500,
  onSent: (_unsent, message) => sentListeners.forEach((listener) => listener(message)),
  onFailed: (_unsent, error) => toast.error(toastText(error, chatTexts.say('sendFailed'))),
  report: reportError,
  pause: (attempt) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        wakers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waits[Math.min(attempt, waits.length) - 1]);
      wakers.add(done);
    }),
});

let watched: LiveClient | null = null;
let resumed: string | null = null;

/** Returns the unsent messages to one person, and the actions on them. */
export function useOutbox(userId: string, onSent: (message: Message) => void) {
  const { live } = useShell();
  const me = useUser().user_id;
  useResumedOutbox();
  const unsent = useSyncExternalStore(outbox.subscribe, () => outbox.to(userId));
  useEffect(() => {
    if (watched === live) return;
    watched = live;
    live.onState(() => live.isUp() && wake());
    window.addEventListener('online', wake);
  }, [live]);
  useEffect(() => {
    const listen = (message: Message) => {
      if (message.receiver_id === userId) onSent(message);
    };
    sentListeners.add(listen);
    return () => void sentListeners.delete(listen);
  }, [userId, onSent]);
  return {
    unsent,
    send: (content: string, file: File | null) =>
      outbox.add({
        id: crypto.randomUUID(),
        userId: me,
        to: userId,
        content,
        at: serverClock.date().toISOString(),
        ...(file ? { file } : {}),
      }),
    retry: outbox.retry,
    discard: outbox.discard,
  };
}

/** Sends messages that an earlier page of this user left unsent. */
export function useResumedOutbox(): void {
  const me = useUser().user_id;
  useEffect(() => {
    if (resumed === me) return;
    resumed = me;
    outbox.resume(me).catch(reportError);
  }, [me]);
}
