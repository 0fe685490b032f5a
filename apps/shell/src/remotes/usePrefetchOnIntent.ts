import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { prefetchScreen } from './prefetch.ts';

/** Events that show that the user is about to follow a link. */
const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const;

type Connection = { saveData?: boolean; effectiveType?: string };

/** People who pay by the byte, or wait for each, load only what they open. */
export function thrifty(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return connection?.saveData === true || connection?.effectiveType?.endsWith('2g') === true;
}

/** The path of the link that an event is about, when it leads to a screen of this app. */
export function linkedPath(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.origin !== location.origin || link.target === '_blank' || link.download) return null;
  return link.pathname;
}

/** Loads the screen behind a link when a pointer, a finger or the focus comes to it: by the click it is there. */
export function usePrefetchOnIntent(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const asked = new Set<string>();
    const onIntent = ({ target }: Event) => {
      const path = linkedPath(target);
      if (path === null || asked.has(path) || thrifty()) return;
      asked.add(path);
      // A failure shows when the link is followed; a later sign of intent may ask again.
      prefetchScreen(queries, path).catch(() => asked.delete(path));
    };
    for (const intent of INTENTS) document.addEventListener(intent, onIntent, { passive: true });
    return () => {
      for (const intent of INTENTS) document.removeEventListener(intent, onIntent);
    };
  }, [queries]);
}
