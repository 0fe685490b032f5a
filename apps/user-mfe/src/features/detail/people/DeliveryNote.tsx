import { call, serverClock } from '@karaar/api-client';
import { notificationsRoutes } from '@karaar/contracts/notifications/http';
import { useTexts } from '@karaar/i18n';
import { useQuery } from '@tanstack/react-query';
import { documentKeys } from '../../../shared/queries.ts';
import type { Party } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import css from '../detail.module.css';
import { deliveryLines } from './delivery-words.ts';

/** Shows the creator whether the SMS and the e-mail to a party arrived. */
export default function DeliveryNote({ documentId, party }: { documentId: string; party: Party }) {
  const t = useTexts(detailTexts);
  // Without an answer, the state of the SMS from documents is shown alone.
  const { data: sent = [] } = useQuery({
    queryKey: [...documentKeys.all, 'deliveries', documentId],
    queryFn: ({ signal }) => call(notificationsRoutes.deliveries, { params: { documentId } }, { signal }),
  });
  return deliveryLines(party, sent, serverClock.date()).map(({ channel, message, failed }) => (
    <span key={channel} className={css.delivery} data-failed={failed || undefined}>
      {t(message)}
    </span>
  ));
}
