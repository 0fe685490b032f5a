import { useEffect, useRef } from 'react';

/** Milliseconds to render the effect of a step: one dialog may replace another. */
const DRAWN_MS = 50;

/**
 * One step back; returns true if the part stays open, because it showed its previous content or cannot step
 * back now.
 */
type OnBack = () => boolean;
type Part = { onBack: OnBack };

/** The open parts, the newest last; together they have one history entry. */
const open: Part[] = [];

/** The state of the history entry: for open parts, or left over from a part that closed itself. */
type Mark = 'open' | 'left' | undefined;

/** The router's entry has a key; the entry of an open part has the key of the entry below it. */
const noteOf = () => (history.state ?? {}) as { dialog?: Mark; key?: string };
const markOf = (): Mark => noteOf().dialog;
/** Keeps the router's state, so that the router sees the same entry. */
const marked = (dialog: Mark) => ({ ...noteOf(), dialog });

/** The key of a history entry that is left over until the user goes back. */
let leftKey: string | undefined;

function skip(): void {
  if (open.length > 0 || markOf() !== undefined || noteOf().key !== leftKey) return;
  leftKey = undefined;
  window.removeEventListener('popstate', skip);
  history.back();
}

/**
 * Adds a missing history entry. An entry that is no longer needed stays for the next dialog: `history.back()`
 * is asynchronous, and could undo a navigation that began meanwhile.
 */
function settle(): void {
  if (open.length > 0 && markOf() === 'left') history.replaceState(marked('open'), '');
  else if (open.length > 0 && markOf() !== 'open') history.pushState(marked('open'), '');
  else if (open.length === 0 && markOf() === 'open') {
    history.replaceState(marked('left'), '');
    leftKey = noteOf().key;
    window.addEventListener('popstate', skip);
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
function settleSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(settle, DRAWN_MS);
}

function step(): void {
  if (markOf() === 'open') return;
  if (open.at(-1)?.onBack()) settle();
  else settleSoon();
}

/**
 * While the part is shown, the browser's Back (a gesture on phones) closes the part and does not leave the
 * page.
 * @param onBack closes the part, or shows its previous content and returns true
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
