import { useEffect, useState } from 'react';

/** The text once it has stood for so many milliseconds: advice that comes and goes is not read out each time. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    // A pause between two texts says nothing, and the text before it need not be said again.
    if (text === '') return;
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
