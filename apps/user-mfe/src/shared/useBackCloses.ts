import { useEffect, useRef } from 'react';

/** Milliseconds in which what a step has changed is drawn: one dialog may take another's place. */
const DRAWN_MS = 50;

/** One step back; true when the part stays: the step led to what it showed before, or cannot be taken now. */
type OnBack = () => boolean;
type Part = { onBack: OnBack };

/** What is open, the newest last; all of it together has one place in the history. */
const open: Part[] = [];

const isMarked = () => (history.state as { dialog?: boolean } | null)?.dialog === true;

/** Makes the place in the history that is missing, or leaves the one that nothing needs any more. */
function settle(): void {
  // The router's own notes of the place stay: to it this is the same one.
  if (open.length > 0 && !isMarked())
    history.pushState({ ...(history.state as object | null), dialog: true }, '');
  // After a navigation the place is not the last one: it stays, and leads to the same page.
  else if (open.length === 0 && isMarked()) history.back();
}

let timer: ReturnType<typeof setTimeout> | undefined;
function settleSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(settle, DRAWN_MS);
}

function step(): void {
  if (isMarked()) return;
  if (open.at(-1)?.onBack()) settle();
  else settleSoon();
}

/**
 * While the part is shown, the browser's Back (a gesture on phones) steps out of it and not off the page.
 * @param onBack closes the part, or leads to what it showed before and says so
 */
export function useBackCloses(onBack: OnBack): void {
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    if (open.length === 0) window.addEventListener('popstate', step);
    const part = { onBack: () => latest.current() };
    open.push(part);
    settleSoon();
    return () => {
      open.splice(open.indexOf(part), 1);
      if (open.length === 0) window.removeEventListener('popstate', step);
      settleSoon();
    };
  }, []);
}
