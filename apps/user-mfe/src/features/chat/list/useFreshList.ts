import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useShell } from '../../../shared/useShell.ts';
import { withTop } from './chat-list.ts';
import { chatKeys, chatsQuery, topOfChats } from '../queries.ts';
import { useIsUp } from '../useLive.ts';

/** Milliseconds for which events are batched before the list is requested. */
const GATHER_MS = 250;
/** Milliseconds between two requests while the socket is down. */
const POLL_MS = 5_000;

/**
 * The chat with the newest message moves to the top, so only the first page is loaded again, not all pages
 * that the user has scrolled through.
 */
async function refreshTop(queries: QueryClient): Promise<void> {
  const whole = chatsQuery('').queryKey;
  const pages = queries.getQueryData(whole)?.pages.length ?? 0;
  const isOneOfThem = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    pages < 2 || queryKey[whole.length - 1] !== '';
  void queries.invalidateQueries({ queryKey: chatKeys.list, predicate: isOneOfThem });
  if (pages < 2) return;
  try {
    const fresh = await topOfChats();
    queries.setQueryData(whole, (known) => known && withTop(known, fresh));
  } catch {
    // The next message or the end of the outage requests it again.
  }
}

/**
 * Reloads the chat list after changes.
 * @returns the poll interval, only while the socket is down
 */
export function useFreshList(): number | false {
  const { live } = useShell();
  const queries = useQueryClient();
  const up = useIsUp();
  useEffect(() => {
    const timers = new Map<() => void, ReturnType<typeof setTimeout>>();
    const soon = (act: () => void) => () => {
      if (timers.has(act)) return;
      const run = () => {
        timers.delete(act);
        act();
      };
      timers.set(act, setTimeout(run, GATHER_MS));
    };
    const reload = soon(() => void queries.invalidateQueries({ queryKey: chatKeys.list }));
    const top = soon(() => void refreshTop(queries));
    const ends = [
      live.on('message.new', top),
      live.on('unread', reload),
      live.on('document.changed', reload),
    ];
    return () => {
      timers.forEach((timer) => clearTimeout(timer));
      ends.forEach((end) => end());
    };
  }, [live, queries]);
  return up ? false : POLL_MS;
}
