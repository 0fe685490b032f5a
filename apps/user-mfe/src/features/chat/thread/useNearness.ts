import { useCallback, useEffect, useRef, type RefObject } from 'react';

/** Pixels beyond the edges of the view within which things are near: a flick of the finger. */
const NEAR_PX = 1_500;

/**
 * Follows whether an element is near the view.
 * @param set gets its height once it is far away, and null once it is near again
 * @returns how to stop it
 */
export type Watch = (element: Element, set: (height: number | null) => void) => () => void;

/** Tells the parts of a scrolled list whether they are near its view. */
export function useNearness(list: RefObject<Element | null>): Watch {
  const setters = useRef(new Map<Element, (height: number | null) => void>());
  const observer = useRef<IntersectionObserver | null>(null);
  const observe = useCallback(() => {
    if (observer.current || !list.current) return observer.current;
    observer.current = new IntersectionObserver(
      (entries) => {
        // Its height of now: since the entry was made it may have got a message.
        for (const { target, isIntersecting } of entries)
          setters.current.get(target)?.(isIntersecting ? null : target.getBoundingClientRect().height);
      },
      { root: list.current, rootMargin: `${NEAR_PX}px 0px` },
    );
    return observer.current;
  }, [list]);
  useEffect(
    () => () => {
      observer.current?.disconnect();
      observer.current = null;
    },
    [],
  );
  return useCallback(
    (element, set) => {
      setters.current.set(element, set);
      observe()?.observe(element);
      return () => {
        observer.current?.unobserve(element);
        setters.current.delete(element);
      };
    },
    [observe],
  );
}
