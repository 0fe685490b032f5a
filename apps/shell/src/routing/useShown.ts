import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useNavigationType, type Location } from 'react-router';
import { prefetchScreen } from '../remotes/prefetch.ts';
import type { Decision, ScreenDecision } from './route-table.ts';
import { withTransition } from '../navigation/transition.ts';

/** The shown screen, and the kind of navigation that led to it. */
export type Shown = { location: Location; screen: ScreenDecision; by: 'POP' | 'PUSH' | 'REPLACE' };

/** Milliseconds for which the old screen stays while the next one loads; then its skeleton is shown. */
const WAIT_MS = 400;

/** Milliseconds after which the next screen is shown in any case: twice the sum of waiting and fading. */
const LIMIT_MS = 1_500;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Returns the location to show: the address, but the old screen stays until the next one has loaded (with a
 * limit), so that a navigation changes the page once, not twice.
 * @returns `shown`: null during a redirect of the first location; `pending`: the next screen is loading
 */
export function useShown(location: Location, decision: Decision): { shown: Shown | null; pending: boolean } {
  const queries = useQueryClient();
  const by = useNavigationType();
  const target = decision.kind === 'screen' ? decision : null;
  const [shown, setShown] = useState<Shown | null>(() => target && { location, screen: target, by });

  const follow = useEffectEvent((): (() => void) | undefined => {
    if (target && shown?.location === location) return undefined;
    const next = target && { location, screen: target, by };
    // Immediate for another query of the same screen, or another frame.
    const stays = next && shown?.screen.frame === next.screen.frame;
    if (!stays || shown.location.pathname === location.pathname) {
      setShown(next);
      return undefined;
    }
    let isCurrent = true;
    const ready = prefetchScreen(queries, location.pathname).catch(() => {
      // The screen itself shows a failed load.
    });
    void Promise.race([ready, sleep(WAIT_MS)]).then(() => {
      // The browser may delay the update: skip it if it is no longer wanted.
      if (isCurrent) withTransition(() => isCurrent && setShown(next));
    });
    return () => {
      isCurrent = false;
    };
  });
  // The decision follows from the location and the session, so its fields identify it.
  useLayoutEffect(() => follow(), [location, target?.frame, target?.remote]);

  const pending = shown?.location.pathname !== location.pathname;
  const showNow = useEffectEvent(() => target && setShown({ location, screen: target, by }));
  useEffect(() => {
    if (!pending) return undefined;
    const timer = setTimeout(showNow, LIMIT_MS);
    return () => clearTimeout(timer);
  }, [pending, location]);

  // When the user loses access (the session ended), the screen is removed.
  if (!target) return { shown: null, pending: false };
  return { shown, pending };
}
