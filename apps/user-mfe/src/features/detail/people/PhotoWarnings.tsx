import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Banner, userName } from '@karaar/ui';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import { PhotoNotes } from './PhotoNotes.tsx';

/** The findings about other parties' images, above everything that the creator can do next. */
export default function PhotoWarnings({ document, userId }: { document: Document; userId: string }) {
  const t = useTexts(detailTexts);
  return document.parties
    .filter(({ user_id, photo_hints = [] }) => user_id !== userId && photo_hints.length > 0)
    .map((party) => (
      <Banner key={party.user_id} tone="warning">
        <strong>{t('warningsAbout', { name: userName(party.name) })}</strong>
        <PhotoNotes party={party} />
      </Banner>
    ));
}
