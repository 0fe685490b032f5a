import { useSyncExternalStore } from 'react';
import { announced, subscribe } from './announce.ts';

/** The live region of the page, for screen readers. */
export function Announcer() {
  const text = useSyncExternalStore(subscribe, announced);
  return (
    <div className="k-hidden" role="status" aria-live="polite" data-announcer="">
      {text}
    </div>
  );
}
