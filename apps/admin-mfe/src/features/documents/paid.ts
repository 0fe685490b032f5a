import type { AdminDocumentDetail } from '@karaar/contracts/documents/http';

type Charged = Pick<AdminDocumentDetail, 'paid'> & { events: readonly { type: string }[] };

/**
 * Returns whether the charge is paid fully, partly (some of its shares), or not yet. Reversed payments do not
 * count.
 */
export function paidText({ paid, events }: Charged): 'yes' | 'partly' | 'no' {
  if (paid) return 'yes';
  const times = (type: string) => events.filter((event) => event.type === type).length;
  return times('payment.completed') > times('payment.reversed') ? 'partly' : 'no';
}
