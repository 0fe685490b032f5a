import { useTexts } from '@karaar/i18n';
import { useEffect, useState } from 'react';
import { remoteTexts } from './texts.ts';
import css from '../navigation/navigation.module.css';

/** Milliseconds after which a wait is announced. */
const SLOW_MS = 2_000;

/**
 * Announces that the next screen loads slowly. The empty region exists before, because only then do screen
 * readers read the text.
 */
export function SlowBanner() {
  const t = useTexts(remoteTexts);
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={css.slow} role="status">
      {slow && t('slow')}
    </p>
  );
}
