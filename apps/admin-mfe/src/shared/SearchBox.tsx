import { SearchField } from '@karaar/ui/fields';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds after the last letter until the list is asked for. */
const TYPING_MS = 300;

/** A search that waits until the typing rests, and follows the address when it changes elsewhere. */
export function SearchBox(props: { label: string; value: string; onSearch: (text: string) => void }) {
  const { label, value, onSearch } = props;
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      search.current(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <SearchField label={label} hideLabel placeholder={label} value={typed} onChange={setTyped} />;
}
