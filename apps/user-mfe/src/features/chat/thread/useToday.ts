import { useEffect, useState } from 'react';
import { untilMidnight } from './days.ts';

/** The moment, renewed when a day ends in India: what was today is yesterday then. @returns milliseconds */
export function useToday(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), untilMidnight(Date.now()));
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}
