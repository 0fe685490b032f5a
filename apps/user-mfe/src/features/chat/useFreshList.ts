import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useShell } from '../../shared/useShell.ts';
import { chatKeys } from './queries.ts';
import { useIsUp } from './useLive.ts';

/** Milliseconds for which news are gathered before the list is asked for. */
const GATHER_MS = 250;
/** Milliseconds between two questions while the socket is down. */
const POLL_MS = 5_000;

/**
 * Has the chat list asked for again when something in it has changed.
 * @returns how often to ask besides: only while the socket is down
 */
export function useFreshList(): number | false {
  const { live } = useShell();
  const queries = useQueryClient();
  const up = useIsUp();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: chatKeys.list });
      }, GATHER_MS);
    };
    const ends = [
      live.on('message.new', soon),
      live.on('message.read', soon),
      live.on('message.delivered', soon),
      live.on('unread', soon),
      live.on('document.changed', soon),
    ];
    return () => {
      clearTimeout(timer);
      ends.forEach((end) => end());
    };
  }, [live, queries]);
  return up ? false : POLL_MS;
}
