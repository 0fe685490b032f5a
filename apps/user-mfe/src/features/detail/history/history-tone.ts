import type { ThreadEntry } from '@karaar/ui/navigation';

const tones: Readonly<Record<string, ThreadEntry['tone']>> = {
  'party.accepted': 'verified',
  'party.approved': 'verified',
  'party.admitted': 'verified',
  'party.joined': 'verified',
  'document.approved': 'verified',
  'payment.completed': 'verified',
  'payment.reversed': 'rejected',
  'document.cancelled': 'rejected',
  'document.lapsed': 'rejected',
  'party.rejected': 'rejected',
  'party.removed': 'rejected',
  'party.approval_ended': 'rejected',
  'party.withdrawn': 'rejected',
  'finalization.failed': 'rejected',
  'document.finalized': 'sealed',
  'document.logged': 'sealed',
};

/** Returns the tone of a history line; most events are neutral. */
export const toneOf = (type: string): ThreadEntry['tone'] => tones[type] ?? 'neutral';
