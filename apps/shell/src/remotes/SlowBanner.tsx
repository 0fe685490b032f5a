import { useTexts } from '@karaar/i18n';
import { useEffect, useState } from 'react';
import { remoteTexts } from './texts.ts';
import css from '../navigation/navigation.module.css';

/** Milliseconds after which a wait is long enough to be spoken of. */
const SLOW_MS = 2_000;

/** Says that the next screen takes long, once it does. It is there, and empty, before: only then is it read out. */
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
