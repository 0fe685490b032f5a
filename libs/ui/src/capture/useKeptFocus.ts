import { useEffect, useRef, type RefObject } from 'react';

const nothingHasFocus = () => document.activeElement === null || document.activeElement === document.body;

/**
 * Moves the focus to `next` when the focused element disappears or becomes disabled. A focus elsewhere stays.
 * @param root the observed element
 * @param next the new target; null while it is unknown
 */
export function useKeptFocus(
  root: RefObject<HTMLElement | null>,
  next: RefObject<HTMLElement | null> | null,
): void {
  const held = useRef(false);
  useEffect(() => {
    const element = root.current;
    const comes = () => (held.current = true);
    const goes = ({ relatedTarget }: FocusEvent) => {
      // Without a target the element disappeared, or the focus went to another window.
      if (relatedTarget instanceof Node && !element?.contains(relatedTarget)) held.current = false;
    };
    element?.addEventListener('focusin', comes);
    element?.addEventListener('focusout', goes);
    return () => {
      element?.removeEventListener('focusin', comes);
      element?.removeEventListener('focusout', goes);
    };
  }, [root]);
  useEffect(() => {
    // The browser removes the focus from a disabled element only at its next paint, perhaps after a response.
    const here = document.activeElement;
    if (here instanceof HTMLElement && here.matches(':disabled') && root.current?.contains(here)) here.blur();
    if (held.current && nothingHasFocus()) next?.current?.focus({ preventScroll: true });
  }, [root, next]);
}
