/**
 * Pure rules for the answer-by date, set by the creator. It causes reminders, and the document's cancellation if the
 * creator chose that (docs/adr/0083).
 */
import { isAnswerBy } from '@karaar/contracts/answer-by';
import {
  endCancelled,
  findParty,
  isOutstanding,
  isWaiting,
  requireOpen,
  requirePrimary,
  type Agreement,
} from './agreement.ts';
import { badAnswerBy, noAnswerAwaited, partyNotFound } from './agreement.errors.ts';

/**
 * The creator sets, changes or removes (`null`) the day by which a party is asked to answer.
 * @param today `YYYY-MM-DD` in India
 */
export function askToAnswerBy(
  agreement: Agreement,
  actorId: string,
  userId: string,
  day: string | null,
  today: string,
): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  const party = findParty(agreement, userId);
  if (!party) throw partyNotFound();
  if (!isOutstanding(party)) throw noAnswerAwaited();
  if ((party.answerBy ?? null) === day) return agreement;
  requireAnswerBy(day, today);
  const updated = { ...party, answerBy: day };
  return { ...agreement, parties: agreement.parties.map((other) => (other === party ? updated : other)) };
}

/** The same for an open invitation. Returns a copy, because the agreement does not hold that day. */
export function askInvitedToAnswerBy(
  agreement: Agreement,
  actorId: string,
  day: string | null,
  today: string,
): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  requireAnswerBy(day, today);
  return { ...agreement };
}

/** Karaar cancels the agreement for its creator, after the date of a missing answer. Throws 409 if none is awaited. */
export function lapse(agreement: Agreement): Agreement {
  requireOpen(agreement);
  if (!isWaiting(agreement.status)) throw noAnswerAwaited();
  return endCancelled(agreement);
}

/** Throws 422 for the field `answer_by` if the day cannot be chosen. */
export function requireAnswerBy(day: string | null, today: string): void {
  if (day !== null && !isAnswerBy(day, today)) throw badAnswerBy();
}

const WORDS = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Formats a day as 12 Dec 2026; an invalid day stays as typed. */
function dayInWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : WORDS.format(date);
}

export const byDay = (day: string | null): string =>
  day === null ? '' : `, to answer by ${dayInWords(day)}`;

export const askedLine = (name: string, day: string | null): string =>
  day === null
    ? `Took away the date by which ${name} is asked to answer`
    : `Asked ${name} to answer by ${dayInWords(day)}`;

/** @param name null for a person without an account */
export const notAnsweredLine = (name: string | null, day: string): string =>
  `Cancelled the document: ${name === null ? 'the invited person' : `“${name}”`} had not answered, asked to answer by ${dayInWords(day)}`;

export const cancelLateLine = (cancels: boolean): string =>
  cancels
    ? 'Chose that Karaar cancels this document after a date to answer by that passes without the answer'
    : 'Chose that this document stays open after the dates to answer by';
