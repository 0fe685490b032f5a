import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useNearness } from './useNearness.ts';

/** Within this many pixels of the end the reader counts as at the end. */
const AT_END = 80;
/** Older messages are requested at this many pixels from the top, before the reader arrives there. */
const NEAR_TOP = 1_200;

type Watched = {
  first: number;
  last: string;
  own: boolean;
  more: boolean;
  onOlder: () => Promise<void>;
};

/**
 * A message in view, and its offset from the start of the scrolled content, which scrolling does not change.
 */
type Anchor = { element: Element; at: number };

const placeOf = (element: Element, list: Element): number =>
  element.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;

/** Returns the first message fully in view, else the first partly in view. */
function anchorIn(list: Element): Anchor | null {
  const { top: edge, bottom } = list.getBoundingClientRect();
  let partly: Element | null = null;
  for (const element of list.querySelectorAll('article')) {
    const rect = element.getBoundingClientRect();
    if (rect.top >= bottom) break;
    if (rect.bottom <= edge) continue;
    if (rect.top >= edge) return { element, at: placeOf(element, list) };
    partly ??= element;
  }
  return partly && { element: partly, at: placeOf(partly, list) };
}

/** Returns true if the reader scrolled up from `top`, and not because the list became shorter. */
const scrolledUp = ({ scrollTop, scrollHeight, clientHeight }: Element, top: number): boolean =>
  scrollTop < top - 1 && scrollHeight - clientHeight >= top - 1;

/**
 * Keeps the scroll position: at the end while new messages arrive there, otherwise on the same message while
 * older ones load above it, pictures arrive, or elements out of view change their height. A reader who has
 * scrolled up moves to the end only by sending a message.
 */
export function useSteadyScroll({ first, last, own, more, onOlder }: Watched) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  /** The last known scroll position: reveals a scroll whose event has not arrived yet. */
  const top = useRef(0);
  const shown = useRef(last);
  const [away, setAway] = useState(false);
  const [loading, setLoading] = useState(false);
  const watch = useNearness(list);

  const toEnd = useCallback(() => {
    const element = list.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    top.current = element.scrollTop;
  }, []);
  const holdAnchor = useCallback((element: Element) => {
    const held = anchor.current;
    if (!held?.element.isConnected) return;
    const at = placeOf(held.element, element);
    // Rounding errors below one pixel would add up.
    if (Math.abs(at - held.at) < 1) return;
    element.scrollTop += at - held.at;
    held.at = at;
  }, []);
  const keep = useCallback(() => {
    const element = list.current;
    if (!element) return;
    if (!atEnd.current) holdAnchor(element);
    else if (!scrolledUp(element, top.current)) toEnd();
  }, [holdAnchor, toEnd]);

  useLayoutEffect(() => {
    const newer = last !== shown.current;
    shown.current = last;
    if (newer && own) toEnd();
    else keep();
  }, [first, last, own, toEnd, keep]);

  const watchPart = useHeights(list, watch, keep);

  const ask = useCallback(async () => {
    setLoading(true);
    try {
      await onOlder();
    } catch {
      // The next scroll requests it again; the shown messages stay.
    } finally {
      setLoading(false);
    }
  }, [onOlder]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    // Compensates height changes of this frame before a new anchor is taken, or they would be lost.
    if (!atEnd.current) holdAnchor(element);
    top.current = element.scrollTop;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END;
    anchor.current = anchorIn(element);
    setAway(!atEnd.current);
    if (more && !loading && element.scrollTop < NEAR_TOP) void ask();
  };

  // A page that does not fill the window cannot be scrolled.
  useEffect(() => {
    const element = list.current;
    if (element && more && !loading && element.scrollHeight <= element.clientHeight) void ask();
  }, [first, more, loading, ask]);

  return { list, onScroll, away, toEnd, loading, watch: watchPart };
}

type Watch = ReturnType<typeof useNearness>;

/** Heights also change without updates: pictures load, ranges come near, a phone's keyboard opens. */
function useHeights(list: RefObject<HTMLDivElement | null>, watch: Watch, keep: () => void): Watch {
  const heights = useRef<ResizeObserver | null>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const observer = new ResizeObserver(keep);
    heights.current = observer;
    observer.observe(element);
    for (const part of element.children) observer.observe(part);
    return () => {
      heights.current = null;
      observer.disconnect();
    };
  }, [list, keep]);
  return useCallback<Watch>(
    (element, set) => {
      heights.current?.observe(element);
      const end = watch(element, set);
      return () => {
        heights.current?.unobserve(element);
        end();
      };
    },
    [watch],
  );
}
