import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { prefetchScreen } from './prefetch.ts';

/** Events that show that the user is about to follow a link. */
const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const;

type Connection = { saveData?: boolean; effectiveType?: string };

/** Returns true on metered or slow connections, which load only opened screens. */
export function thrifty(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return connection?.saveData === true || connection?.effectiveType?.endsWith('2g') === true;
}

/** Returns the path of the link at an event target, if it leads to a screen of this app. */
export function linkedPath(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.origin !== location.origin || link.target === '_blank' || link.download) return null;
  return link.pathname;
}

/** Loads the screen of a link on hover, touch or focus, before the click. */
export function usePrefetchOnIntent(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const requestedPaths = new Set<string>();
    const onIntent = ({ target }: Event) => {
      const path = linkedPath(target);
      if (path === null || requestedPaths.has(path) || thrifty()) return;
      requestedPaths.add(path);
      // Following the link shows a failure; a later event may retry.
      prefetchScreen(queries, path).catch(() => requestedPaths.delete(path));
    };
    for (const intent of INTENTS) document.addEventListener(intent, onIntent, { passive: true });
    return () => {
      for (const intent of INTENTS) document.removeEventListener(intent, onIntent);
    };
  }, [queries]);
}
