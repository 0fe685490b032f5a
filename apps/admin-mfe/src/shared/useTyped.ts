import { useEffect, useRef, useState } from 'react';

/** Milliseconds after the last keystroke until the list is requested. */
const TYPING_MS = 300;

/**
 * Returns the text being typed into a filter: passed on once the typing stops, and replaced when the address
 * changes.
 * @param isWhole returns true if a text can be passed on; by default always
 */
export function useTyped(
  value: string,
  onRest: (text: string) => void,
  isWhole: (text: string) => boolean = () => true,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const lastValue = useRef(value);
  const rest = useRef({ onRest, isWhole });
  rest.current = { onRest, isWhole };

  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === lastValue.current || !rest.current.isWhole(typed)) return;
    const timer = setTimeout(() => {
      lastValue.current = typed;
      rest.current.onRest(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
