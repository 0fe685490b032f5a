import type { Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import css from './cms.module.css';
import { cmsTexts } from './texts.ts';

type DifferenceProps = { before: string; after: string; language: Language };

/** The difference of two texts: deletions are struck out, insertions underlined. */
export function Difference({ before, after, language }: DifferenceProps) {
  const t = useTexts(cmsTexts);
  const parts = useMemo(() => diffWordsWithSpace(before, after), [before, after]);
  if (before === after) return <p>{t('noDifference')}</p>;
  return (
    <>
      <p className={css.note}>{t('differenceNote')}</p>
      <div className={css.difference} lang={language} tabIndex={0} role="region" aria-label={t('difference')}>
        {parts.map((part, index) => {
          if (part.added) return <ins key={index}>{part.value}</ins>;
          if (part.removed) return <del key={index}>{part.value}</del>;
          return <span key={index}>{part.value}</span>;
        })}
      </div>
    </>
  );
}
