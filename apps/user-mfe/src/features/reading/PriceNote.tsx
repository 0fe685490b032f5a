import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { useQuery } from '@tanstack/react-query';
import { chargeQuery } from '../../shared/charge-query.ts';
import { useUser } from '../../shared/useShell.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { hasPaid } from '../../shared/paid.ts';
import { priceNote, shareChange } from './price.ts';

/** The price of the document for this reader; an empty line until it is known, so that nothing moves. */
export function PriceNote({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const charge = useQuery(chargeQuery(document.document_id));
  if (charge.isError) return null;
  if (charge.isPending) return <span>{'\u00a0'}</span>;
  const { calculation, payments } = charge.data;
  const change = hasPaid(payments, user_id) ? null : shareChange(document, calculation, user_id);
  return (
    <span>
      {change && <strong>{`${t(change)} `}</strong>}
      <span>{t(priceNote(document, calculation, user_id))}</span>
    </span>
  );
}
