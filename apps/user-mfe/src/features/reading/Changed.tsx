import { useTexts } from '@karaar/i18n';
import { Button, Notice } from '@karaar/ui';
import { useEffect, useRef } from 'react';
import { verificationTexts } from '../verification/texts.ts';
import type { Read } from './useRead.ts';

/** There is other content than before: it counts as read once the reader says so. */
export function Changed({ read }: { read: Read }) {
  const t = useTexts(verificationTexts);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise. React would call a returned value as the cleanup function.
    void place.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div role="alert" ref={place}>
      <Notice
        tone="waiting"
        action={
          <Button compact onClick={read.again}>
            {t('readAgain')}
          </Button>
        }
      >
        <strong>{t('changed')}</strong>
        <p>{t('changedWhy')}</p>
      </Notice>
    </div>
  );
}
