import { useEffect, useRef } from 'react';

/** Milliseconds in which what a step has changed is drawn: one dialog may take another's place. */
const DRAWN_MS = 50;

/** One step back; true when the part stays: the step led to what it showed before, or cannot be taken now. */
type OnBack = () => boolean;
type Part = { onBack: OnBack };

/** What is open, the newest last; all of it together has one place in the history. */
const open: Part[] = [];

/** What the place in the history says: there for what is open, or left of something that was closed by itself. */
type Mark = 'open' | 'left' | undefined;

/** The router's note of a place has a key; the place of what is open has that of the one below it. */
const noteOf = () => (history.state ?? {}) as { dialog?: Mark; key?: string };
const markOf = (): Mark => noteOf().dialog;
/** The router's own notes of the place stay: to it this is the same one. */
const marked = (dialog: Mark) => ({ ...noteOf(), dialog });

/** Key of the history entry that is left over until the user goes back. */
let leftKey: string | undefined;

/** Going back from a place that was left shows nothing new: one step more. */
function skip(): void {
  if (open.length > 0 || markOf() !== undefined || noteOf().key !== leftKey) return;
  leftKey = undefined;
  window.removeEventListener('popstate', skip);
  history.back();
}

/**
 * Adds the history entry that is missing. An entry that is not needed any more is left for the next dialog:
 * `history.back()` takes effect later than it is called, and would undo a navigation that began meanwhile.
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
