import { useEffect, useRef } from 'react';
import { announce } from '../navigation/announce.ts';
import type { Shown } from './useShown.ts';

/** The milliseconds to wait for the heading of a screen. */
const PATIENCE_MS = 10_000;

/**
 * Moves the focus to a new screen's heading and announces the screen's name, for users of screen readers. If
 * the user has pressed a key or clicked meanwhile, the focus stays where it is; the name is announced anyway.
 */
export function useFocusOnNavigation({ location: { pathname } }: Shown): void {
  const before = useRef(pathname);
  useEffect(() => {
    // The browser announces the first page itself.
    if (before.current === pathname) return;
    before.current = pathname;
    let busy = false;
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), PATIENCE_MS);
    for (const sign of ['keydown', 'pointerdown'])
      window.addEventListener(sign, () => (busy = true), { signal: end.signal });
    const look = () => {
      // While the next screen loads, the old one may still be there, hidden.
      const headings = [...document.querySelectorAll<HTMLElement>('main h1')];
      const heading = headings.find((each) => each.checkVisibility());
      if (!heading) return;
      end.abort();
      announce(document.title);
      if (busy) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    end.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      observer.disconnect();
    });
    // After the screen's effects, which set its title.
    const frame = requestAnimationFrame(() => {
      observer.observe(document.body, { childList: true, subtree: true });
      look();
    });
    return () => {
      cancelAnimationFrame(frame);
      end.abort();
    };
  }, [pathname]);
}
