import { useCallback, useEffect, useRef, type RefObject } from 'react';

/** Pixels beyond the edges of the view that still count as near: one flick of a finger. */
const NEAR_PX = 1_500;

/**
 * Watches whether an element is near the view.
 * @param set receives its height once it is far away, and null once it is near again
 * @returns a function that stops watching
 */
export type Watch = (element: Element, set: (height: number | null) => void) => () => void;

/** Returns a watcher for the parts of a scrolled list. */
export function useNearness(list: RefObject<Element | null>): Watch {
  const setters = useRef(new Map<Element, (height: number | null) => void>());
  const observer = useRef<IntersectionObserver | null>(null);
  const observe = useCallback(() => {
    if (observer.current || !list.current) return observer.current;
    observer.current = new IntersectionObserver(
      (entries) => {
        // Uses the present height: the element may have changed since the entry was created.
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
