import { useEffect, useState } from 'react';

/**
 * Returns the text once it is unchanged for this many milliseconds, so that brief advice is not announced.
 */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    // A pause announces nothing, and the previous text is not repeated after it.
    if (text === '') return;
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
