import { useTexts } from '@karaar/i18n';
import { Button, IconButton, Stack, TextField } from '@karaar/ui';
import { useState } from 'react';
import css from '../create.module.css';
import { nextPage, parsePageNo, type PageEntry } from './form.ts';
import { createTexts } from '../texts.ts';

/** The optional list of contents by page. */
export function PageDetails({
  entries,
  onChange,
}: {
  entries: PageEntry[];
  onChange: (entries: PageEntry[]) => void;
}) {
  const t = useTexts(createTexts);
  const replace = (index: number, change: Partial<PageEntry>) =>
    onChange(entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)));
  return (
    <Stack>
      {entries.map((entry, index) => (
        <fieldset key={index} className={css.pageEntry}>
          <PageNoField
            label={t('pageNoShort')}
            aria-label={t('pageNo', { index: index + 1 })}
            value={entry.page_no}
            onChange={(page_no) => replace(index, { page_no })}
          />
          <TextField
            label={t('pageDescriptionShort')}
            aria-label={t('pageDescription', { index: index + 1 })}
            maxLength={500}
            value={entry.description}
            onChange={(event) => replace(index, { description: event.target.value })}
          />
          <IconButton
            icon="trash"
            label={t('removePage', { index: index + 1 })}
            onClick={() => onChange(entries.filter((_, at) => at !== index))}
          />
        </fieldset>
      ))}
      <div>
        <Button compact icon="plus" onClick={() => onChange([...entries, nextPage(entries)])}>
          {t('addPage')}
        </Button>
      </div>
    </Stack>
  );
}

type PageNoProps = { label: string; 'aria-label': string; value: number; onChange: (page: number) => void };

/** A page number. The field may be empty while typing; the effective number is shown on blur. */
function PageNoField({ value, onChange, ...field }: PageNoProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      {...field}
      inputMode="numeric"
      min={1}
      step={1}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(parsePageNo(target.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
