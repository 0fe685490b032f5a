import { useEffect, useRef, useState } from 'react';

/** Milliseconds after the last key until the list is asked for. */
const TYPING_MS = 300;

/**
 * What is being typed into a filter: handed on once the typing rests, and changed when the address changes elsewhere.
 * @param isWhole whether it can be handed on as it is; anything when absent
 */
export function useTyped(
  value: string,
  onRest: (text: string) => void,
  isWhole: (text: string) => boolean = () => true,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const rest = useRef({ onRest, isWhole });
  rest.current = { onRest, isWhole };

  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === asked.current || !rest.current.isWhole(typed)) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      rest.current.onRest(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
