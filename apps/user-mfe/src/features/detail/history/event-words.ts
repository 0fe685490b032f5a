/** The texts of document events in other languages: the texts on record are English. */
import type { DocumentEvent } from '@karaar/contracts/documents/http';
import type { KeyOf, Message } from '@karaar/i18n';
import { formatDate, userName } from '@karaar/ui/format';
import { evidenceKeys } from '../people/evidence-words.ts';
import type en from '../../../shared/catalogs/detail/texts/en.json';

const words = {
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
  // Only in older records, where the creator's click approved a joiner.
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
} as const satisfies Record<string, KeyOf<typeof en>>;

export const wordedEvents = Object.keys(words);

/** Returns the message of an event; null for a type without one, whose own text is then shown. */
export function eventMessage({
  type,
  subject_name,
  detail,
}: Pick<DocumentEvent, 'type' | 'subject_name' | 'detail'>): Message<KeyOf<typeof en>> | null {
  if (!Object.hasOwn(words, type)) return null;
  const isInstead = type === 'party.contact_invited' && detail.includes(' in place of the invited person');
  const key = isInstead ? 'eventContactReplaced' : words[type as keyof typeof words];
  return { key, values: { name: userName(subject_name) } };
}

/** Text that needs no translation: amounts, names in quotes, and the names of attached files. */
const IN_ANY_LANGUAGE = /₹[\d,.]*\d|“[^”]+”|"[^"]+"|(?<=^Started finalization; attached ).+/g;

/** The day by which a party is asked to answer, at the end of the text on record: 12 Dec 2026. */
const DAY = /(?<= to answer by )(\d{1,2}) (\p{L}{3})\p{L}* (\d{4})$/u;

/** Returns the day in the present language. */
function dayOf(detail: string): string | null {
  const [, day, month, year] = DAY.exec(detail) ?? [];
  return day ? formatDate(`${day} ${month} ${year} UTC`) : null;
}

/**
 * Returns the evidence in an event that its message leaves out: the sources of images, amounts, days, and names
 * of people and files.
 */
export function eventEvidence({ detail, photos }: Pick<DocumentEvent, 'detail' | 'photos'>): {
  keys: KeyOf<typeof en>[];
  texts: string[];
  /** The day by which a party is asked to answer. */
  day: string | null;
} {
  const sources = photos && {
    profile_pic_source: photos.profile_pic.source,
    eye_source: photos.eye.source,
    sign_method: photos.sign.method,
  };
  return { keys: evidenceKeys(sources), texts: detail.match(IN_ANY_LANGUAGE) ?? [], day: dayOf(detail) };
}
