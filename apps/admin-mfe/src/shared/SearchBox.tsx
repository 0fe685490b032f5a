import { SearchField } from '@karaar/ui/fields';
import { useTyped } from './useTyped.ts';

/** A search that waits until the typing rests. */
export function SearchBox(props: { label: string; value: string; onSearch: (text: string) => void }) {
  const { label, value, onSearch } = props;
  const [typed, type] = useTyped(value, onSearch);
  return <SearchField label={label} hideLabel placeholder={label} value={typed} onChange={type} />;
}
