import type { Reversal } from '@karaar/contracts/payments/http';
import { money, toast, userName } from '@karaar/ui';
import type { paymentsTexts } from './texts.ts';

/** Shows the state of a reversal: done, in progress, or waiting for a second admin. */
export function showReversalToast(reversal: Reversal, t: typeof paymentsTexts.say): void {
  const values = { amount: money(reversal.amount), name: userName(reversal.user_name) };
  switch (reversal.state) {
    case 'done':
      return toast.success(t('reverseDone', values));
    case 'decided':
      return toast.info(t('reversePending', values));
    case 'requested':
      return toast.info(t('reverseWaits', values));
    case 'declined':
      return toast.info(t('reverseDeclined', values));
  }
}
