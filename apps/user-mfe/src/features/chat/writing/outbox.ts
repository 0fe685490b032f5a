/**
 * What was written here and is not stored at the server yet. It is kept in the browser before it is sent, so that a
 * reload loses nothing; the server takes each once, by its own id, however often it is sent.
 */

/** `failed`: the server does not take it as it is; the writer may try again or throw it away. */
export type Unsent = {
  /** The client message id. */
  id: string;
  /** Who wrote it. */
  userId: string;
  to: string;
  content: string;
  file?: File;
  /** ISO 8601. */
  at: string;
  state: 'sending' | 'failed';
};

/** Where unsent messages outlive the page. */
export type UnsentStore = {
  all: () => Promise<Unsent[]>;
  put: (message: Unsent) => Promise<void>;
  remove: (id: string) => Promise<void>;
};

export type OutboxParts<Sent> = {
  store: UnsentStore;
  /** Rejects when the server has not taken it. */
  send: (message: Unsent) => Promise<Sent>;
  /** Whether another try may help: no connection, a server that is busy or away. */
  mayPass: (error: unknown) => boolean;
  onSent: (message: Unsent, sent: Sent) => void;
  onFailed: (message: Unsent, error: unknown) => void;
  /** Resolves after a while, or as soon as there is a connection again. @param attempt from 1 */
  pause: (attempt: number) => Promise<void>;
  /** Told of what only costs the reload: a browser that keeps nothing. */
  report: (error: unknown) => void;
};

export type Outbox = {
  /** Those to one person, in the order in which they were written; the same list while nothing changes. */
  to: (userId: string) => readonly Unsent[];
  subscribe: (listener: () => void) => () => void;
  add: (message: Omit<Unsent, 'state'>) => void;
  retry: (id: string) => void;
  discard: (id: string) => void;
  /** Takes up what an earlier page of this user left; what others left here is thrown away. */
  resume: (userId: string) => Promise<void>;
};

const NONE: readonly Unsent[] = [];

/** The unsent messages by receiver; each change is written to the store as well. */
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

/** One worker per receiver sends one message after the other, so that they arrive in the order of writing. */
export function createOutbox<Sent>(parts: OutboxParts<Sent>): Outbox {
  const { listOf, all, find, append, change, drop, subscribe } = createLists(parts);
  const working = new Set<string>();

  const sendOne = async (message: Unsent): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const sent = await parts.send(message);
        // First what is stored is shown, then what is unsent goes: the message is never out of sight.
        parts.onSent(message, sent);
        drop(message);
        return;
      } catch (error) {
        if (parts.mayPass(error)) {
          await parts.pause(attempt);
          // Thrown away meanwhile.
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
      // Sent in any case: a browser that keeps nothing (a private window, a full disk) only loses the reload.
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
