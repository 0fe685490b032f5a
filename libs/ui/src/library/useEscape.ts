import { useEffect, useRef } from 'react';

/** The open dialogs, the top one last. */
const open: symbol[] = [];
/**
 * Events that a dialog has handled: after it closed, the dialog below is on top while the same event is still
 * dispatched.
 */
const taken = new WeakSet<Event>();

/**
 * Lets Escape close only the top dialog. The library would close every open dialog.
 * @param props.closes true if the key may close it; otherwise the dialogs below stay open too
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
      // An open list of choices inside the dialog handles the key itself, as the library marks it.
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
