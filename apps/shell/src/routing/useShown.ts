import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useNavigationType, type Location } from 'react-router';
import { prefetchScreen } from '../remotes/prefetch.ts';
import type { Decision, ScreenDecision } from './route-table.ts';
import { withTransition } from '../navigation/transition.ts';

/** What is on the page, and how the visitor came there. */
export type Shown = { location: Location; screen: ScreenDecision; by: 'POP' | 'PUSH' | 'REPLACE' };

/** Milliseconds for which the screen before stays while the next one is loaded; then its skeleton is shown. */
const WAIT_MS = 400;

/** Milliseconds after which the next screen is shown whatever held it: twice what waiting and fading take together. */
const LIMIT_MS = 1_500;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * The place that is shown: the address, except that a screen stays until the next one is loaded (for a moment at
 * most), so that a navigation is one change on the page and not two.
 *
 * @returns `shown`: null while a visitor is being led elsewhere at the first step; `pending`: the next is on its way
 */
export function useShown(location: Location, decision: Decision): { shown: Shown | null; pending: boolean } {
  const queries = useQueryClient();
  const by = useNavigationType();
  const target = decision.kind === 'screen' ? decision : null;
  const [shown, setShown] = useState<Shown | null>(() => target && { location, screen: target, by });

  const follow = useEffectEvent((): (() => void) | undefined => {
    if (target && shown?.location === location) return undefined;
    const next = target && { location, screen: target, by };
    // Another query of the same screen, or a page around which everything changes: at once.
    const stays = next && shown?.screen.frame === next.screen.frame;
    if (!stays || shown.location.pathname === location.pathname) {
      setShown(next);
      return undefined;
    }
    let wanted = true;
    const ready = prefetchScreen(queries, location.pathname).catch(() => {
      // The screen itself shows that it could not be loaded.
    });
    void Promise.race([ready, sleep(WAIT_MS)]).then(() => {
      // The browser may take its time: what is not wanted any more by then stays away.
      if (wanted) withTransition(() => wanted && setShown(next));
    });
    return () => {
      wanted = false;
    };
  });
  // The decision follows from the location and the session: its fields say when it is another one.
  useLayoutEffect(() => follow(), [location, target?.frame, target?.remote]);

  const pending = shown?.location.pathname !== location.pathname;
  const showNow = useEffectEvent(() => target && setShown({ location, screen: target, by }));
  useEffect(() => {
    if (!pending) return undefined;
    const timer = setTimeout(showNow, LIMIT_MS);
    return () => clearTimeout(timer);
  }, [pending, location]);

  // Once the user is not allowed there any more (the session ended), nothing of the screen stays.
  if (!target) return { shown: null, pending: false };
  return { shown, pending };
}
