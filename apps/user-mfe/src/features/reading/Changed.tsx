import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Banner, userName } from '@karaar/ui';
import { useEffect, useRef } from 'react';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import type { Change } from './changes.ts';

type ChangedProps = { of: Change; document: Document; onRead: () => void };

/** Announces changed content or parties; they count as read once the reader confirms. */
export function Changed({ of, document, onRead }: ChangedProps) {
  const t = useTexts(detailTexts);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise. React would call a returned value as the cleanup function.
    void place.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div role="alert" ref={place}>
      <Banner
        tone="waiting"
        action={
          <Button compact onClick={onRead}>
            {t(of === 'parties' ? 'partiesSeen' : 'readAgain')}
          </Button>
        }
      >
        <strong>{t(of === 'parties' ? 'partiesChanged' : 'changed')}</strong>
        <p>{of === 'parties' ? t('partiesNow', { names: partyNames(document) }) : t('changedWhy')}</p>
      </Banner>
    </div>
  );
}

/** Returns the names of all parties, without people who only asked to join. */
export const partyNames = ({ parties }: Document): string =>
  parties
    .filter(({ state }) => state !== 'requested')
    .map(({ name }) => userName(name))
    .join(', ');
