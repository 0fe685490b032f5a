import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Sheet } from '@karaar/ui';
import { Terms } from '../../reading/Terms.tsx';
import { CalendarButton } from './CalendarButton.tsx';
import { Renewing } from './Renewing.tsx';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The terms besides the files, and a calendar file of the dates. */
export default function Details({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  return (
    <Sheet title={t('details')}>
      <Terms document={document} />
      {!document.cancelled && <CalendarButton document={document} />}
      <Renewing document={document} />
    </Sheet>
  );
}
