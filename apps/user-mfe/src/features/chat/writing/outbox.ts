/**
 * Messages that the server has not stored yet. They are stored in the browser before they are sent, so that a
 * reload loses nothing; the server accepts each client message id once.
 */

/** `failed`: the server refuses the message; the writer may retry or discard it. */
export type Unsent = {
  id: string;
  userId: string;
  to: string;
  content: string;
  file?: File;
  /** ISO 8601. */
  at: string;
  state: 'sending' | 'failed';
};

/** The store that keeps unsent messages across reloads. */
export type UnsentStore = {
  all: () => Promise<Unsent[]>;
  put: (message: Unsent) => Promise<void>;
  remove: (id: string) => Promise<void>;
};

export type OutboxParts<Sent> = {
  store: UnsentStore;
  /** Rejects if the server has not stored it. */
  send: (message: Unsent) => Promise<Sent>;
  /** Returns true if a retry may help: offline, or a server that is busy or unavailable. */
  mayPass: (error: unknown) => boolean;
  onSent: (message: Unsent, sent: Sent) => void;
  onFailed: (message: Unsent, error: unknown) => void;
  /**
   * Resolves after a delay, or as soon as the browser is online.
   * @param attempt from 1
   */
  pause: (attempt: number) => Promise<void>;
  /** Reports errors that only lose messages on reload: a browser that stores nothing. */
  report: (error: unknown) => void;
};

export type Outbox = {
  /** Returns the messages to one person in the order of writing; the same list while nothing changes. */
  to: (userId: string) => readonly Unsent[];
  subscribe: (listener: () => void) => () => void;
  add: (message: Omit<Unsent, 'state'>) => void;
  retry: (id: string) => void;
  discard: (id: string) => void;
  /** Resumes the messages of an earlier page of this user; discards those of other users. */
  resume: (userId: string) => Promise<void>;
};

const NONE: readonly Unsent[] = [];

/** Holds the unsent messages by receiver; writes each change to the store. */
function createLists({ store, report }: Pick<OutboxParts<unknown>, 'store' | 'report'>) {
  const byReceiver = new Map<string, readonly Unsent[]>();
  const listeners = new Set<() => void>();
  const set = (to: string, messages: readonly Unsent[]) => {
    byReceiver.set(to, messages);
    listeners.forEach((listener) => listener());
  };
  const listOf = (to: string) => byReceiver.get(to) ?? NONE;
  const all = () => [...byReceiver.values()].flat();
  return {
    listOf,
    all,
    find: (id: string) => all().find((message) => message.id === id),
    append: (message: Unsent) => set(message.to, [...listOf(message.to), message]),
    change: (message: Unsent, state: Unsent['state']): void => {
      const changed = { ...message, state };
      set(
        message.to,
        listOf(message.to).map((each) => (each.id === message.id ? changed : each)),
      );
      store.put(changed).catch(report);
    },
    drop: (message: Unsent) => {
      set(
        message.to,
        listOf(message.to).filter(({ id }) => id !== message.id),
      );
      store.remove(message.id).catch(report);
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns an outbox with one worker per receiver, which sends one message at a time to keep the order of
 * writing.
 */
export function createOutbox<Sent>(parts: OutboxParts<Sent>): Outbox {
  const { listOf, all, find, append, change, drop, subscribe } = createLists(parts);
  const working = new Set<string>();

  const sendOne = async (message: Unsent): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const sent = await parts.send(message);
        // Show the stored message before removing the unsent one, so that it never disappears.
        parts.onSent(message, sent);
        drop(message);
        return;
      } catch (error) {
        if (parts.mayPass(error)) {
          await parts.pause(attempt);
          // Discarded meanwhile.
          if (!find(message.id)) return;
          continue;
        }
        change(message, 'failed');
        parts.onFailed(message, error);
        return;
      }
    }
  };
  const work = async (to: string): Promise<void> => {
    if (working.has(to)) return;
    working.add(to);
    try {
      for (;;) {
        const next = listOf(to).find(({ state }) => state === 'sending');
        if (!next) return;
        await sendOne(next);
      }
    } finally {
      working.delete(to);
    }
  };
  const start = (to: string) => void work(to).catch(parts.report);

  return {
    to: listOf,
    subscribe,
    add: (draft) => {
      const message: Unsent = { ...draft, state: 'sending' };
      append(message);
      // Send in any case: without a store (a private window, a full disk) only a reload would lose it.
      parts.store
        .put(message)
        .catch(parts.report)
        .finally(() => start(draft.to));
    },
    retry: (id) => {
      const message = find(id);
      if (!message) return;
      change(message, 'sending');
      start(message.to);
    },
    discard: (id) => {
      const message = find(id);
      if (message) drop(message);
    },
    resume: async (userId) => {
      for (const other of all().filter((message) => message.userId !== userId)) drop(other);
      const kept = await parts.store.all();
      for (const other of kept.filter((message) => message.userId !== userId))
        await parts.store.remove(other.id);
      const own = kept.filter((message) => message.userId === userId && !find(message.id));
      own.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
      for (const message of own) {
        append(message);
        start(message.to);
      }
    },
  };
}
