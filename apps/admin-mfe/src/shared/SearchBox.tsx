import { SearchField } from '@karaar/ui/fields';
import { useTyped } from './useTyped.ts';

/** A search field that waits until the typing stops. */
export function SearchBox(props: { label: string; value: string; onSearch: (text: string) => void }) {
  const { label, value, onSearch } = props;
  const [typed, type] = useTyped(value, onSearch);
  return <SearchField label={label} hideLabel placeholder={label} value={typed} onChange={type} />;
}
