import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { useQuery } from '@tanstack/react-query';
import { chargeQuery } from '../../shared/charge-query.ts';
import { useUser } from '../../shared/useShell.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { priceNote } from './price.ts';

/** The price of the document for this reader; an empty line until it is known, so that nothing moves. */
export function PriceNote({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const charge = useQuery(chargeQuery(document.document_id));
  if (charge.isError) return null;
  return (
    <span>{charge.isPending ? '\u00a0' : t(priceNote(document, charge.data.calculation, user_id))}</span>
  );
}
