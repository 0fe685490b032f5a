import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Shown } from './useShown.ts';

const STORED = 'scroll_positions';
/** The number of scroll positions that a tab remembers. */
const KEPT = 50;
/** Milliseconds to wait for a page to become long enough for a stored position. */
const GROWS_MS = 5_000;

/** Scroll positions by history key; those of earlier documents of this tab come first. */
const positions = new Map<string, number>();
let remembered = false;

function remember(): Map<string, number> {
  if (remembered) return positions;
  remembered = true;
  const newer = [...positions];
  for (const [key, top] of [...stored(), ...newer]) positions.set(key, top);
  return positions;
}

/** Returns true for a newly opened document, whose first entry has no scroll position. */
function isNewlyOpened(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'navigate';
}
let first = true;

function stored(): [string, number][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(value) ? (value as [string, number][]) : [];
  } catch {
    // Invalid data: every page begins at its top.
    return [];
  }
}

/** Scrolls to a position as soon as the page is long enough, unless the reader scrolls first. */
function scrollWhenPossible(top: number): () => void {
  const reachable = () => document.documentElement.scrollHeight - innerHeight >= top;
  const done = new AbortController();
  const tryIt = () => {
    if (!reachable()) return false;
    done.abort();
    window.scrollTo({ top, behavior: 'instant' });
    return true;
  };
  if (tryIt()) return () => undefined;
  const observer = new ResizeObserver(() => tryIt());
  observer.observe(document.body);
  const timer = setTimeout(() => done.abort(), GROWS_MS);
  done.signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  for (const sign of ['wheel', 'touchmove', 'keydown'])
    window.addEventListener(sign, () => done.abort(), { passive: true, signal: done.signal });
  return () => done.abort();
}

/**
 * Scrolls a new location to its top (or to its fragment); Back and Forward restore the position. A change of
 * the query (a dialog, a filter, a tab) keeps the position. This hook replaces the router's own restoration,
 * so the router's `preventScrollReset` does not reach it.
 */
export function useScrollRestoration({ location, by }: Shown): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const save = () => {
      const newest = [...remember()].slice(-KEPT);
      sessionStorage.setItem(STORED, JSON.stringify(newest));
    };
    window.addEventListener('pagehide', save);
    return () => window.removeEventListener('pagehide', save);
  }, []);

  const path = useRef<string>(undefined);
  useLayoutEffect(() => {
    const samePlace = path.current === location.pathname;
    path.current = location.pathname;
    let stop: () => void = () => undefined;
    const untouched = first && isNewlyOpened() && location.hash === '';
    first = false;
    // The position is 0; reading it would force a layout.
    if (untouched) positions.set(location.key, 0);
    else if (by === 'POP') stop = scrollWhenPossible(remember().get(location.key) ?? 0);
    else if (samePlace && location.hash === '') positions.set(location.key, window.scrollY);
    else if (location.hash === '') window.scrollTo({ top: 0, behavior: 'instant' });
    else document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    const note = () => {
      positions.delete(location.key);
      positions.set(location.key, window.scrollY);
    };
    window.addEventListener('scroll', note, { passive: true });
    return () => {
      stop();
      window.removeEventListener('scroll', note);
    };
  }, [location, by]);
}
