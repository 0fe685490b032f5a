import { useEffect, useState, useSyncExternalStore } from 'react';
import { useShell } from '../../shared/useShell.ts';

/** Whether the socket is up; while it is not, screens ask. */
export function useIsUp(): boolean {
  const { live } = useShell();
  return useSyncExternalStore(live.onState, live.isUp);
}

/** Milliseconds for which the same people must be asked about: a list that is scrolled shows others all the time. */
const WATCH_MS = 150;

/**
 * Of these people those who are here now.
 * @param again asks again when it changes: one learns of those only with whom there is a conversation
 */
export function useOnline(userIds: readonly string[], again?: boolean): ReadonlySet<string> {
  const { live } = useShell();
  const up = useIsUp();
  const [online, setOnline] = useState<ReadonlySet<string>>(new Set());
  const asked = [...userIds].sort().join(' ');
  useEffect(() => {
    if (!up || asked === '') return setOnline(new Set());
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
      // As many as one request may name.
      void live.say('watch', { user_ids: asked.split(' ').slice(0, 200) }).then((answer) => {
        if (!over && answer.ok) setOnline(new Set(answer.online));
      });
    }, WATCH_MS);
    return () => {
      over = true;
      clearTimeout(timer);
      change();
    };
  }, [live, up, asked, again]);
  return online;
}

/** Milliseconds after the last typing event until the other user counts as not typing. */
const TYPING_MS = 6_000;
/** Milliseconds between two words that one is typing. */
const SAY_MS = 3_000;

/** Whether the other one is typing. */
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
      // What they typed has come.
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

/** Says to the other one that this user types, and stops. */
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
