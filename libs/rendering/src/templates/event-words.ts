/** The names of history events in other languages; the texts on record are English. */
import en from './texts/en.json' with { type: 'json' };
import type { Key } from './words.ts';

/** An event that has a text, and the user it names. */
export interface EventFact {
  key: Key;
  name?: string;
}

const WORDS = {
  'document.created': 'eventDocumentCreated',
  'document.approved': 'eventDocumentApproved',
  'document.finalized': 'eventDocumentFinalized',
  'document.logged': 'eventDocumentLogged',
  'document.cancelled': 'eventDocumentCancelled',
  'document.lapsed': 'eventDocumentLapsed',
  'document.cancel_late': 'eventCancelLate',
  'party.invited': 'eventPartyInvited',
  'party.contact_invited': 'eventContactInvited',
  'party.contact_withdrawn': 'eventContactWithdrawn',
  'party.contact_handed_on': 'eventContactHandedOn',
  'party.contact_accepted': 'eventContactAccepted',
  'party.reminded': 'eventPartyReminded',
  'party.answer_by': 'eventPartyAnswerBy',
  'party.contact_answer_by': 'eventContactAnswerBy',
  'party.requested': 'eventPartyRequested',
  'party.accepted': 'eventPartyAccepted',
  'party.approved': 'eventPartyApproved',
  'party.rejected': 'eventPartyRejected',
  'party.joined': 'eventPartyJoined',
  'party.verified': 'eventPartyVerified',
  'party.withdrawn': 'eventPartyWithdrew',
  'party.removed': 'eventPartyRemoved',
  'party.approval_ended': 'eventApprovalEnded',
  'party.renamed': 'eventPartyRenamed',
  'payment.completed': 'eventPaymentCompleted',
  'payment.reversed': 'eventPaymentReversed',
  'finalization.started': 'eventFinalizationStarted',
  'finalization.failed': 'eventFinalizationFailed',
} as const satisfies Record<string, Key>;

/** Returns undefined for an event without a text, or whose text names a user who is not on record. */
export function eventOf(type: string | undefined, name: string | undefined): EventFact | undefined {
  if (type === undefined || !Object.hasOwn(WORDS, type)) return undefined;
  const key = WORDS[type as keyof typeof WORDS];
  if (!en[key].includes('{name}')) return { key };
  return name ? { key, name } : undefined;
}
