import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { useQuery } from '@tanstack/react-query';
import { chargeQuery } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { priceNote } from './price.ts';

/** What the document costs this reader; an empty line while that is not known, so that nothing below moves then. */
export function PriceNote({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const charge = useQuery(chargeQuery(document.document_id));
  if (charge.isPending) return '\u00a0';
  return charge.data && t(priceNote(document, charge.data.calculation, user_id));
}
