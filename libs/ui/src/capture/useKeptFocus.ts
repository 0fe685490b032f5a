import { useEffect, useRef, type RefObject } from 'react';

const nothingHasFocus = () => document.activeElement === null || document.activeElement === document.body;

/**
 * Hands the focus on when the thing that had it has gone or can no longer be pressed. Whoever was elsewhere is left alone.
 * @param root what is looked after
 * @param next where the focus belongs now; null while that cannot have it
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
      // Without a target it has gone with the thing itself, or to another window.
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
    // A browser takes the focus off what can no longer be pressed when it next draws: an answer may come before that.
    const here = document.activeElement;
    if (here instanceof HTMLElement && here.matches(':disabled') && root.current?.contains(here)) here.blur();
    if (held.current && nothingHasFocus()) next?.current?.focus({ preventScroll: true });
  }, [root, next]);
}
