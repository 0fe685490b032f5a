import { useEffect, useRef } from 'react';

/** The dialogs that are open, the one on top last. */
const open: symbol[] = [];
/** Keys that a dialog has taken: when it has closed, the one under it is on top while the same key is still being told. */
const taken = new WeakSet<Event>();

/**
 * Escape closes the dialog on top alone. The library would close every open dialog with one key.
 *
 * @param props.closes whether the key may close it; while it may not, the dialogs under it stay too
 */
export function useEscape(props: { opened: boolean; closes: boolean; onClose: () => void }): void {
  const now = useRef(props);
  useEffect(() => {
    now.current = props;
  });
  const { opened } = props;
  useEffect(() => {
    if (!opened) return;
    const own = Symbol('dialog');
    open.push(own);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || taken.has(event) || open.at(-1) !== own) return;
      // An open list of choices inside the dialog takes the key for itself, as the library marks it.
      if (event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation=true]'))
        return;
      taken.add(event);
      if (now.current.closes) now.current.onClose();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      open.splice(open.indexOf(own), 1);
    };
  }, [opened]);
}
