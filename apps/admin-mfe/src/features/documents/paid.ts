import type { AdminDocumentDetail } from '@karaar/contracts/documents/http';

type Charged = Pick<AdminDocumentDetail, 'paid'> & { events: readonly { type: string }[] };

/** Whether the charge is paid: in full, in part (some of its shares), or not yet. What was given back counts no more. */
export function paidText({ paid, events }: Charged): 'yes' | 'partly' | 'no' {
  if (paid) return 'yes';
  const times = (type: string) => events.filter((event) => event.type === type).length;
  return times('payment.completed') > times('payment.reversed') ? 'partly' : 'no';
}
