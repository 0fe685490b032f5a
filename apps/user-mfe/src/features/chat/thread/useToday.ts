import { serverClock } from '@karaar/api-client';
import { useEffect, useState } from 'react';
import { untilMidnight } from './days.ts';

/**
 * Returns the current time, updated at midnight in India, when "today" becomes "yesterday".
 * @returns milliseconds
 */
export function useToday(): number {
  const [now, setNow] = useState(serverClock.now);
  useEffect(() => {
    const renew = () => setNow(serverClock.now());
    const timer = setTimeout(renew, untilMidnight(serverClock.now()));
    // The first response may show that the device's clock is wrong.
    const stop = serverClock.subscribe(renew);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [now]);
  return now;
}
