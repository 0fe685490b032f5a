import { useTexts } from '@karaar/i18n';
import { Icon, IconButton, partTexts, TextField } from '@karaar/ui';
import type { ComponentProps } from 'react';
import css from './fields.module.css';

type SearchFieldProps = { value: string; onChange: (text: string) => void } & Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'type' | 'action' | 'prefix' | 'code'
>;

/** A search field with a button that clears it. */
export function SearchField({ value, onChange, ...field }: SearchFieldProps) {
  const t = useTexts(partTexts);
  return (
    <div className={css.search}>
      <TextField
        autoComplete="off"
        enterKeyHint="search"
        {...field}
        type="search"
        value={value}
        prefix={<Icon name="search" size={18} />}
        onChange={(event) => onChange(event.target.value)}
        action={value && <IconButton icon="close" label={t('clearSearch')} onClick={() => onChange('')} />}
      />
    </div>
  );
}
