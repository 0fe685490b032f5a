import { useTexts } from '@karaar/i18n';
import { Button, partTexts } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from './tables.module.css';

type PagerProps = {
  /** The name of the navigation: "Pages of users". */
  label: string;
  /** Undefined on the first or last page: lists use keyset paging, so there are no page numbers. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  busy?: boolean;
  /** The summary: "50 of 1,204 users". */
  children?: ReactNode;
};

export function Pager({ label, onPrevious, onNext, busy = false, children }: PagerProps) {
  const t = useTexts(partTexts);
  if (!onPrevious && !onNext && !children) return null;
  return (
    <nav className={css.pager} aria-label={label}>
      <span className={css.pagerText}>{children}</span>
      <Button compact icon="arrowLeft" onClick={onPrevious} disabled={busy || !onPrevious}>
        {t('previous')}
      </Button>
      <Button compact icon="arrowRight" onClick={onNext} disabled={busy || !onNext}>
        {t('next')}
      </Button>
    </nav>
  );
}
