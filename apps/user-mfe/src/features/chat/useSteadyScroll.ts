import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end within which one is at the end. */
const AT_END = 80;
/** Pixels from the top at which older messages are asked for. */
const NEAR_TOP = 400;

type Watched = {
  /** Place of the oldest message that is shown. */
  first: number;
  /** Changes with everything that comes at the end. */
  last: string;
  /** What came last is one's own. */
  own: boolean;
  /** There are older ones. */
  more: boolean;
  onOlder: () => Promise<void>;
};

/**
 * Keeps the eyes where they are: at the end while new messages come there, and on the same message while older ones
 * come above. Somebody who reads further up is not pulled away, except by what they send themselves.
 */
export function useSteadyScroll({ first, last, own, more, onOlder }: Watched) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  /** How far from the end the view was when it was last looked at. */
  const fromEnd = useRef(0);
  const shown = useRef({ first, last });
  const [away, setAway] = useState(false);
  const [loading, setLoading] = useState(false);

  const toEnd = useCallback(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const older = first < shown.current.first;
    const newer = last !== shown.current.last;
    shown.current = { first, last };
    if (older) element.scrollTop = element.scrollHeight - fromEnd.current;
    else if (atEnd.current || (newer && own)) toEnd();
    fromEnd.current = element.scrollHeight - element.scrollTop;
  }, [first, last, own, toEnd]);

  // Pictures that arrive, the keyboard of a phone, a window of another size: the end stays the end.
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const keep = () => atEnd.current && toEnd();
    const observer = new ResizeObserver(keep);
    observer.observe(element);
    element.addEventListener('load', keep, true);
    return () => {
      observer.disconnect();
      element.removeEventListener('load', keep, true);
    };
  }, [toEnd]);

  const ask = useCallback(async () => {
    setLoading(true);
    try {
      await onOlder();
    } catch {
      // The next scroll asks again; what is shown stays.
    } finally {
      setLoading(false);
    }
  }, [onOlder]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    fromEnd.current = element.scrollHeight - element.scrollTop;
    atEnd.current = fromEnd.current - element.clientHeight < AT_END;
    setAway(!atEnd.current);
    if (more && !loading && element.scrollTop < NEAR_TOP) void ask();
  };

  // A page that does not fill the window cannot be scrolled for more.
  useEffect(() => {
    const element = list.current;
    if (element && more && !loading && element.scrollHeight <= element.clientHeight) void ask();
  }, [first, more, loading, ask]);

  return { list, onScroll, away, toEnd, loading };
}
