import { useTexts } from '@karaar/i18n';
import { Button, IconButton, Stack, TextField } from '@karaar/ui';
import css from './create.module.css';
import { nextPage, parsePageNo, type PageEntry } from './form.ts';
import { createTexts } from './texts.ts';

/** The optional list of what stands on which page. */
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
          <TextField
            label={t('pageNoShort')}
            aria-label={t('pageNo', { index: index + 1 })}
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            value={entry.page_no}
            onChange={(event) => replace(index, { page_no: parsePageNo(event.target.value) })}
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
