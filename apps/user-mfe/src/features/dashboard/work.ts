/** The texts and links of worklist items; pure. */
import type { WorkItem } from '@karaar/contracts/documents/http';
import type { DueShare } from '@karaar/contracts/payments/http';
import type { WaitingTopUp } from '@karaar/contracts/wallet/http';
import type { KeyOf } from '@karaar/i18n';
import type { IconName } from '@karaar/ui';
import { formatDateTime } from '@karaar/ui/format';
import type en from '../../shared/catalogs/dashboard/texts/en.json';

/** A task from the documents service, a share to pay from the payments service, or a top-up from the wallet. */
export type Item = Omit<WorkItem, 'kind'> & {
  kind: WorkItem['kind'] | 'share' | WaitingTopUp['state'];
  amount?: number;
  topUp?: WaitingTopUp;
};
type Kind = Item['kind'];
type Text = KeyOf<typeof en>;

const own = {
  accept: { sentence: 'doAccept', action: 'doReadAnswer', icon: 'document' },
  read: { sentence: 'doRead', action: 'doReadApprove', icon: 'document' },
  admit: { sentence: 'doAdmit', action: 'admit', icon: 'join' },
  approve: { sentence: 'doApprove', action: 'doReadApprove', icon: 'document' },
  seal: { sentence: 'doSeal', action: 'doSealIt', icon: 'shield' },
  pay: { sentence: 'doPay', action: 'doPayIt', icon: 'wallet' },
  share: { sentence: 'doShare', action: 'doPayIt', icon: 'wallet' },
  unfinished: { sentence: 'doTopUp', action: 'finishTopUp', icon: 'wallet' },
  arriving: { sentence: 'waitTopUp', action: 'openWallet', icon: 'clock' },
  rejected: { sentence: 'doRejected', action: 'doSeeWhy', icon: 'alert' },
  invite: { sentence: 'doInvite', action: 'doInviteIt', icon: 'people' },
  draft: { sentence: 'doDraft', action: 'continueDraft', icon: 'documentPlus' },
} as const satisfies Partial<Record<Kind, { sentence: Text; action: Text; icon: IconName }>>;

const others = {
  answer: 'waitAnswer',
  reading: 'waitReading',
  approval: 'waitApproval',
  admission: 'waitAdmission',
  decision: 'waitDecision',
  sealing: 'waitSealing',
} as const satisfies Record<Exclude<Kind, keyof typeof own>, Text>;

const isOwn = (kind: Kind): kind is keyof typeof own => kind in own;

/** Returns the text of a task, or of waiting for others; it takes `people`. */
export const sentenceOf = (kind: Kind) => (isOwn(kind) ? own[kind].sentence : others[kind]);

/** Returns the button's text; null for tasks of others. */
export const actionOf = (kind: Kind): Text | null => (isOwn(kind) ? own[kind].action : null);

export const iconOf = (kind: Kind): IconName => (isOwn(kind) ? own[kind].icon : 'clock');

/** Returns the screen on which the task is done. */
export function linkOf({ kind, document_id: id }: Pick<Item, 'kind' | 'document_id'>): string {
  if (kind === 'unfinished' || kind === 'arriving') return '/wallet';
  if (kind === 'draft') return `/document/create?draft=${id}`;
  return kind === 'pay' || kind === 'share' ? `/document/${id}/payment` : `/document/${id}`;
}

/**
 * Adds the shares to pay, and the top-ups that are not in the wallet yet, before the drafts; a share replaces the
 * same document's payment.
 */
export function withMoney(
  mine: readonly WorkItem[],
  due: readonly DueShare[],
  topUps: readonly WaitingTopUp[],
): Item[] {
  const shares = due.map(({ document_id, document_name, amount }) => ({
    kind: 'share' as const,
    document_id,
    name: document_name,
    people: [],
    amount,
  }));
  const isShared = ({ kind, document_id }: WorkItem) =>
    kind === 'pay' && due.some((share) => share.document_id === document_id);
  const rest = mine.filter((item) => !isShared(item));
  return [
    ...rest.filter(({ kind }) => kind !== 'draft'),
    ...shares,
    ...topUps.map((topUp) => ({
      kind: topUp.state,
      document_id: topUp.order.id,
      name: formatDateTime(topUp.created_at),
      people: [],
      amount: topUp.order.amount / 100,
      topUp,
    })),
    ...rest.filter(({ kind }) => kind === 'draft'),
  ];
}
