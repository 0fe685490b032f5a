import { useEffect, useState, useSyncExternalStore } from 'react';
import { useShell } from '../../shared/useShell.ts';

/** Returns true if the socket is up; screens poll while it is not. */
export function useIsUp(): boolean {
  const { live } = useShell();
  return useSyncExternalStore(live.onState, live.isUp);
}

/**
 * Milliseconds without a change before presence is requested: scrolling a list changes the users constantly.
 */
const WATCH_MS = 150;

/**
 * Returns the users of these who are online.
 * @param again requests it again on change: presence is visible only after the first message
 */
export function useOnline(userIds: readonly string[], again?: boolean): ReadonlySet<string> {
  const { live } = useShell();
  const up = useIsUp();
  const [online, setOnline] = useState<ReadonlySet<string>>(new Set());
  const sortedIds = [...userIds].sort().join(' ');
  useEffect(() => {
    if (!up || sortedIds === '') return setOnline(new Set());
    let over = false;
    const change = live.on('presence', (news) =>
      setOnline((now) => {
        const next = new Set(now);
        if (news.online) next.add(news.user_id);
        else next.delete(news.user_id);
        return next;
      }),
    );
    const timer = setTimeout(() => {
      // The limit of one request.
      void live.say('watch', { user_ids: sortedIds.split(' ').slice(0, 200) }).then((answer) => {
        if (!over && answer.ok) setOnline(new Set(answer.online));
      });
    }, WATCH_MS);
    return () => {
      over = true;
      clearTimeout(timer);
      change();
    };
  }, [live, up, sortedIds, again]);
  return online;
}

/** Milliseconds after the last typing event until the other user counts as not typing. */
const TYPING_MS = 6_000;
/** Milliseconds between two typing events of this user. */
const SAY_MS = 3_000;

/** Returns true while the other user is typing. */
export function useTyping(userId: string): boolean {
  const { live } = useShell();
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const set = (now: boolean) => {
      clearTimeout(timer);
      setTyping(now);
      if (now) timer = setTimeout(() => setTyping(false), TYPING_MS);
    };
    const ends = [
      live.on('typing', (news) => news.user_id === userId && set(news.typing)),
      // Their message has arrived.
      live.on('message.new', ({ message }) => message.sender_id === userId && set(false)),
    ];
    return () => {
      clearTimeout(timer);
      setTyping(false);
      ends.forEach((end) => end());
    };
  }, [live, userId]);
  return typing;
}

/** Returns a function that reports to the other user that this user types or stopped typing. */
export function useSayTyping(userId: string): (typing: boolean) => void {
  const { live } = useShell();
  const [said] = useState({ at: -Infinity });
  return (typing) => {
    const now = performance.now();
    if (typing ? now - said.at < SAY_MS : said.at === -Infinity) return;
    said.at = typing ? now : -Infinity;
    void live.say('typing', { to: userId, typing });
  };
}
