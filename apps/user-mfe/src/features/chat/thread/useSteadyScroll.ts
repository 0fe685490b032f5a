import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useNearness } from './useNearness.ts';

/** Pixels from the end within which one is at the end. */
const AT_END = 80;
/** Pixels from the top at which older messages are asked for: before one is there. */
const NEAR_TOP = 1_200;

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

/** A message in view, and how far it is below the beginning of what is scrolled: a scroll does not change that. */
type Anchor = { element: Element; at: number };

const placeOf = (element: Element, list: Element): number =>
  element.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;

/** The first message that is wholly in view; else the first that is in view at all. */
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

/** The reader has left `top`, which is still to be had: not a list that has become shorter. */
const scrolledUp = ({ scrollTop, scrollHeight, clientHeight }: Element, top: number): boolean =>
  scrollTop < top - 1 && scrollHeight - clientHeight >= top - 1;

/**
 * Keeps the scroll position steady: at the end while new messages come there, and on the same message while older
 * ones are loaded above it, pictures arrive, or elements out of view change their height. A reader who has scrolled
 * up is moved to the end only by a message of their own.
 */
export function useSteadyScroll({ first, last, own, more, onOlder }: Watched) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  /** Where the list stood when we last looked: a scroll that we have not been told of yet shows by it. */
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
    // Less than a pixel is rounding, which would add up.
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
      // The next scroll asks again; what is shown stays.
    } finally {
      setLoading(false);
    }
  }, [onOlder]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    // What changed its height in this very frame is made up for before the next anchor is taken, or it would be lost.
    if (!atEnd.current) holdAnchor(element);
    top.current = element.scrollTop;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END;
    anchor.current = anchorIn(element);
    setAway(!atEnd.current);
    if (more && !loading && element.scrollTop < NEAR_TOP) void ask();
  };

  // A page that does not fill the window cannot be scrolled for more.
  useEffect(() => {
    const element = list.current;
    if (element && more && !loading && element.scrollHeight <= element.clientHeight) void ask();
  }, [first, more, loading, ask]);

  return { list, onScroll, away, toEnd, loading, watch: watchPart };
}

type Watch = ReturnType<typeof useNearness>;

/** Heights change by themselves as well: pictures that arrive, stretches that come near, a phone's keyboard. */
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
