import { flushSync } from 'react-dom';

/** Milliseconds for which a change waits until the browser has a snapshot of the old page. */
const FRAME_MS = 300;

const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A skipped or overtaken transition has changed the page anyway. */
const ignoreSkipped = () => undefined;

/**
 * Changes the page with a short cross-fade, if the browser supports it and the reader does not prefer reduced
 * motion. The browser calls the update after its next frame, which a busy or covered page may never draw:
 * then the page changes without a transition.
 */
export function withTransition(change: () => void): void {
  if (
    typeof document.startViewTransition !== 'function' ||
    still() ||
    document.visibilityState !== 'visible'
  ) {
    change();
    return;
  }
  let changed = false;
  const once = () => {
    if (changed) return;
    changed = true;
    clearTimeout(timer);
    flushSync(change);
  };
  const page = document.documentElement;
  page.dataset['navigating'] = '';
  const transition = document.startViewTransition(once);
  const timer = setTimeout(() => {
    transition.skipTransition();
    once();
  }, FRAME_MS);
  transition.ready.catch(ignoreSkipped);
  void transition.finished.catch(ignoreSkipped).then(() => delete page.dataset['navigating']);
}
