import { useSyncExternalStore } from 'react';
import { announced, subscribe } from './announce.ts';

/** The live region of the page: empty until there is something to tell. */
export function Announcer() {
  const text = useSyncExternalStore(subscribe, announced);
  return (
    <div className="k-hidden" role="status" aria-live="polite" data-announcer="">
      {text}
    </div>
  );
}
