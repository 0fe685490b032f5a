import { flushSync } from 'react-dom';

const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A transition that another one overtakes, or that the browser gives up, has changed the page all the same. */
const ignoreSkipped = () => undefined;

/** Changes the page with a short cross-fade where the browser can and the reader does not ask for less motion. */
export function withTransition(change: () => void): void {
  if (
    typeof document.startViewTransition !== 'function' ||
    still() ||
    document.visibilityState !== 'visible'
  ) {
    change();
    return;
  }
  const page = document.documentElement;
  page.dataset['navigating'] = '';
  const transition = document.startViewTransition(() => flushSync(change));
  transition.ready.catch(ignoreSkipped);
  void transition.finished.catch(ignoreSkipped).then(() => delete page.dataset['navigating']);
}
