/** The day by which a creator asks another party to answer (docs/adr/0083): a request, after which nothing happens by itself. Pure. */
import { isAnswerBy } from '@karaar/contracts/answer-by';
import { findParty, isOutstanding, requireOpen, requirePrimary, type Agreement } from './agreement.ts';
import { badAnswerBy, noAnswerAwaited, partyNotFound } from './agreement.errors.ts';

/**
 * The creator sets, changes or takes away (`null`) the day by which a party is asked to answer.
 *
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
  const asked = { ...party, answerBy: day };
  return { ...agreement, parties: agreement.parties.map((other) => (other === party ? asked : other)) };
}

/** The same for the person of an open invitation: the agreement stays as it is, but counts as changed. */
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

/** Throws 422 at the field `answer_by` for a day that cannot be chosen. */
export function requireAnswerBy(day: string | null, today: string): void {
  if (day !== null && !isAnswerBy(day, today)) throw badAnswerBy();
}

const WORDS = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** The day as the history has it: 12 Dec 2026. A text that the rules refuse as a day stays as it is. */
function dayInWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : WORDS.format(date);
}

/** The end of a history line about an invitation: nothing without a day. */
export const byDay = (day: string | null): string =>
  day === null ? '' : `, to answer by ${dayInWords(day)}`;

/** The history's line about the day of a person. */
export const askedLine = (name: string, day: string | null): string =>
  day === null
    ? `Took away the date by which ${name} is asked to answer`
    : `Asked ${name} to answer by ${dayInWords(day)}`;
