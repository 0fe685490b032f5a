import { call } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { LABEL_LETTERS_MAX, LABELS_OF_DOCUMENT_MAX, labelsRoutes } from '@karaar/contracts/documents/labels';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, Stack, TextField } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import css from './labels.module.css';
import { labelsQuery, useLabelChange } from './useLabels.ts';

/** The user's own labels on a document: the field suggests those of other documents. */
export default function DocumentLabels({ document }: { document: Document }) {
  const t = useTexts(dashboardTexts);
  const own = useQuery(labelsQuery);
  const [typed, setTyped] = useState('');
  const listId = useId();
  const { labels = [], document_id: id } = document;
  const change = useLabelChange((next: readonly string[]) =>
    call(labelsRoutes.setLabels, { params: { id }, body: { labels: [...next] } }),
  );
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    change.mutate([...labels, typed], { onSuccess: () => setTyped('') });
  };
  const others = (own.data?.labels ?? []).filter(({ name }) => !labels.includes(name));
  return (
    <Sheet title={t('labels')} note={t('labelsOwn')}>
      <Stack>
        {labels.length > 0 && (
          <ul className={css.labels} aria-label={t('labels')}>
            {labels.map((label) => (
              <li key={label}>
                <Button
                  compact
                  icon="close"
                  aria-label={t('labelTakeOff', { label })}
                  disabled={change.isPending}
                  onClick={() => change.mutate(labels.filter((one) => one !== label))}
                >
                  {label}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {labels.length < LABELS_OF_DOCUMENT_MAX ? (
          <form onSubmit={add} className={css.add} noValidate>
            <TextField
              label={t('labelNew')}
              name="label"
              list={listId}
              autoComplete="off"
              maxLength={LABEL_LETTERS_MAX}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <datalist id={listId}>
              {others.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <Button type="submit" loading={change.isPending}>
              {t('labelAdd')}
            </Button>
          </form>
        ) : (
          <p className="k-muted">{t('labelsFull')}</p>
        )}
      </Stack>
    </Sheet>
  );
}
