/**
 * The agreement and its parties: pure rules, without clock or database (design §3 Document status, Parties).
 *
 * The status follows from the parties, except `draft` and `finalized`, which commands set:
 *
 *   any party rejected, or it was cancelled     → rejected
 *   primary and every involved user approved,
 *     and no invitation is open                 → approved
 *   primary approved, others outstanding        → pending_approval
 *   otherwise                                   → pending
 *
 * Only a user's own act gives that user's approval. When the primary user admits a person who asked to join, that
 * person can read the document, and approves, rejects or withdraws.
 */
import type { DocumentStatus, PartyState } from '@karaar/contracts/documents/http';
import {
  alreadyDecided,
  alreadyParty,
  alreadySubmitted,
  alreadyVerified,
  beingFinalized,
  cannotRemovePrimary,
  creatorStays,
  documentCancelled,
  documentClosed,
  documentNotFound,
  documentRejected,
  filesMissing,
  notApproved,
  notInvolved,
  notPrimary,
  notVerified,
  nothingToAnswer,
  ownApprovalOnly,
  partyNotFound,
  stillDraft,
  uploadFirst,
  verifyFirst,
} from './agreement.errors.ts';

export type Party = {
  userId: string;
  state: PartyState;
  approved: boolean;
  /** Face, eye and signature were checked and stored. */
  verified: boolean;
  /** Set only in the step in which an approved party approves again and replaces the old approval. */
  reapproved?: true;
  /** In the party's own words. */
  rejectReason?: string | null;
  /** The day by which the creator asks for the answer; only while it is outstanding. */
  answerBy?: string | null;
};

export type Agreement = {
  id: string;
  status: DocumentStatus;
  primaryUserId: string;
  /** The primary user first, then in the order in which they came. */
  parties: readonly Party[];
  rawFileCount: number;
  /** Open invitations to a number or an address. The document waits for each of them. */
  openInvitations: number;
  /** The finalization job is running: nothing may change until it ends. */
  finalizing: boolean;
  /** The creator has cancelled it: nothing changes any more. */
  cancelled: boolean;
};

/** A person who asked to join becomes involved when admitted; before, only the primary user sees them. */
export const isInvolved = (party: Party): boolean => party.state !== 'requested';

/** Returns true if the party was invited or admitted and has neither approved nor rejected. */
export const isOutstanding = ({ state, approved }: Pick<Party, 'state' | 'approved'>): boolean =>
  (state === 'invited' || state === 'admitted') && !approved;

export const involvedUsers = (agreement: Agreement): string[] =>
  agreement.parties.filter(isInvolved).map((party) => party.userId);

/**
 * Returns the users who became part of the agreement by their own act: the creator, admitted joiners and
 * users who accepted. A user who was only invited is left out, or an invitation would reveal another user's
 * phone number and e-mail address.
 */
export const acquaintedUsers = (agreement: Agreement): string[] =>
  agreement.parties
    .filter(({ state }) => state === 'primary' || state === 'admitted' || state === 'approved')
    .map((party) => party.userId);

export const awaitedUsers = (agreement: Agreement): string[] =>
  agreement.parties.filter((party) => isInvolved(party) && !party.approved).map((party) => party.userId);

export const findParty = (agreement: Agreement, userId: string): Party | undefined =>
  agreement.parties.find((party) => party.userId === userId);

/** Returns true if the step from `was` to `party` gave an approval. */
export const isGiven = (was: Party | undefined, party: Party): boolean =>
  party.approved && (was?.approved !== true || party.reapproved === true);

export const allApproved = (agreement: Agreement): boolean =>
  agreement.parties.filter(isInvolved).every((party) => party.approved);

/** Returns true if the user has not answered an invitation to a waiting document (design §3 Parties). */
export const isPendingAgreementOf = (agreement: Agreement, userId: string): boolean =>
  isWaiting(agreement.status) && findParty(agreement, userId)?.state === 'invited';

export const isWaiting = (status: DocumentStatus): boolean =>
  status === 'pending' || status === 'pending_approval';

const isAwaited = (agreement: Agreement, userId: string): boolean =>
  isPendingAgreementOf(agreement, userId) ||
  (isWaiting(agreement.status) && findParty(agreement, userId)?.state === 'admitted');

type NewAgreement = Pick<Agreement, 'id' | 'primaryUserId' | 'rawFileCount'>;

const begin = (values: NewAgreement, status: 'pending' | 'draft', verified: boolean): Agreement => ({
  ...{ ...values, status, finalizing: false, cancelled: false, openInvitations: 0 },
  parties: [{ userId: values.primaryUserId, state: 'primary', approved: false, verified }],
});

/** Returns a pending agreement whose creator is verified by the images in the request. */
export const createAgreement = (values: NewAgreement): Agreement => begin(values, 'pending', true);

export const createDraft = (values: NewAgreement): Agreement => begin(values, 'draft', false);

/** Throws unless the actor owns the agreement and it is still a draft. */
export function requireDraftOf(agreement: Agreement, actorId: string): void {
  requirePrimary(agreement, actorId);
  if (agreement.status !== 'draft') throw alreadySubmitted();
}

/** Submits a draft with the images that verify its creator: `draft → pending`. */
export function submit(agreement: Agreement, actorId: string): Agreement {
  requireDraftOf(agreement, actorId);
  if (agreement.rawFileCount === 0) throw filesMissing();
  return settle(
    agreement,
    agreement.parties.map((party) => ({ ...party, verified: true })),
  );
}

/**
 * Ends approvals when a party comes or goes, because each party approved with the parties of that time.
 * @param keeps users who stay approved, such as the creator who made the change
 */
export const endApprovals = (parties: readonly Party[], keeps: readonly string[] = []): Party[] =>
  parties.map((party) =>
    party.approved && !keeps.includes(party.userId)
      ? { ...party, approved: false, state: party.state === 'primary' ? 'primary' : 'admitted' }
      : party,
  );

/** Invites a user, also again after a rejection. A user who asked to join has verified and is admitted. */
export function invite(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  const party = findParty(agreement, userId);
  if (!party) {
    const invited: Party = { userId, state: 'invited', approved: false, verified: false };
    return settle(agreement, [...endApprovals(agreement.parties, [actorId]), invited]);
  }
  if (party.state === 'rejected') {
    const again: Party = { ...party, state: 'invited', rejectReason: null };
    return settle(agreement, withdrawPrimaryApproval(replace(agreement.parties, again)));
  }
  if (party.state === 'requested') return admit(agreement, party);
  if (party.state === 'admitted') return agreement;
  throw alreadyParty();
}

const admit = (agreement: Agreement, party: Party): Agreement => {
  const others = endApprovals(agreement.parties, [agreement.primaryUserId]);
  return settle(agreement, replace(others, { ...party, state: 'admitted' }));
};

/** A verified user asks to join by code and waits for the primary user. */
export function requestToJoin(agreement: Agreement, userId: string): Agreement {
  requireVisible(agreement, userId);
  requireOpen(agreement);
  if (findParty(agreement, userId)) throw alreadyParty();
  const joiner: Party = { userId, state: 'requested', approved: false, verified: true };
  return settle(agreement, [...agreement.parties, joiner]);
}

export function accept(agreement: Agreement, userId: string): Agreement {
  const party = requireOpenAnswer(agreement, userId);
  if (party.state !== 'invited') throw alreadyVerified();
  return settle(
    agreement,
    replace(agreement.parties, { ...party, state: 'approved', approved: true, verified: true }),
  );
}

export function reject(agreement: Agreement, userId: string, reason: string | null = null): Agreement {
  const party = requireOpenAnswer(agreement, userId);
  return settle(agreement, replace(agreement.parties, { ...party, state: 'rejected', rejectReason: reason }));
}

/**
 * An involved user verifies, as often as wanted before finalization, and approves unless `approves` is false.
 * This withdraws an earlier approval, because its images are replaced.
 */
export function selfVerify(agreement: Agreement, userId: string, approves = true): Agreement {
  const { reapproved: _, ...party } = requireInvolved(agreement, userId);
  requireOpen(agreement);
  requireNotRejected(agreement);
  if (approves && agreement.rawFileCount === 0) throw uploadFirst();
  const state = stateAfterVerifying(party.state, approves);
  const again = approves && party.approved ? { reapproved: true as const } : {};
  return settle(
    agreement,
    replace(agreement.parties, { ...party, ...again, state, approved: approves, verified: true }),
  );
}

function stateAfterVerifying(state: PartyState, approves: boolean): PartyState {
  if (state === 'primary') return state;
  if (approves) return 'approved';
  return state === 'approved' ? 'admitted' : state;
}

/** The actor approves; throws for another `userId`. A repetition changes nothing. */
export function approve(agreement: Agreement, actorId: string, userId: string): Agreement {
  if (userId !== actorId) {
    requirePrimary(agreement, actorId);
    throw findParty(agreement, userId) ? ownApprovalOnly() : partyNotFound();
  }
  const party = requireInvolved(agreement, actorId);
  requireOpen(agreement);
  requireNotRejected(agreement);
  if (agreement.status === 'approved') throw alreadyDecided('This document is already approved.');
  if (agreement.rawFileCount === 0) throw uploadFirst();
  if (party.approved) return agreement;
  if (!party.verified) throw verifyFirst();
  const state = party.state === 'primary' ? party.state : 'approved';
  return settle(agreement, replace(agreement.parties, { ...party, state, approved: true }));
}

/** The primary user admits a person who asked to join. A party who is already admitted stays as it is. */
export function approveUser(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  const party = findParty(agreement, userId);
  if (!party) throw partyNotFound();
  requireOpen(agreement);
  if (party.state === 'primary') throw ownApprovalOnly();
  if (!party.verified) throw notVerified();
  if (party.state === 'rejected') throw documentRejected();
  return party.state === 'requested' ? admit(agreement, party) : agreement;
}

/** An involved user leaves, which ends all approvals. The caller checks for paid shares first. */
export function withdraw(agreement: Agreement, userId: string): Agreement {
  const party = requireInvolved(agreement, userId);
  if (party.state === 'primary') throw creatorStays();
  requireOpen(agreement);
  const rest = agreement.parties.filter((other) => other.userId !== userId);
  return settle(agreement, endApprovals(rest));
}

/** Throws unless the primary user may remind this party, whose answer must be awaited. */
export function requireReminding(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  if (!findParty(agreement, userId)) throw partyNotFound();
  if (!isAwaited(agreement, userId)) throw nothingToAnswer();
  return agreement;
}

/**
 * The primary user removes a party, which ends the other parties' approvals. Removing a party who rejected
 * reopens the document and also ends the primary user's approval. A person who only asked to join was not a
 * party, so approvals stay.
 */
export function removeUser(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  const party = findParty(agreement, userId);
  if (!party) throw partyNotFound();
  if (party.state === 'primary') throw cannotRemovePrimary();
  requireOpen(agreement);
  const rest = agreement.parties.filter((other) => other.userId !== userId);
  if (!isInvolved(party)) return settle(agreement, rest);
  return settle(agreement, endApprovals(rest, party.state === 'rejected' ? [] : [actorId]));
}

/**
 * The primary user cancels the agreement, in any state between sending and finalization. It ends as rejected; its
 * parties and their approvals stay on record, and requests to the parties end.
 */
export function cancel(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  return endCancelled(agreement);
}

export const endCancelled = (agreement: Agreement): Agreement =>
  settle({ ...agreement, cancelled: true, openInvitations: 0 }, agreement.parties);

/** The primary user starts finalization of an approved agreement. Nothing may change until it ends. */
export function startFinalization(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  if (agreement.status !== 'approved') throw notApproved();
  return { ...agreement, finalizing: true };
}

export function finalize(agreement: Agreement): Agreement {
  if (!agreement.finalizing) throw notApproved();
  return { ...agreement, status: 'finalized', finalizing: false };
}

/** The job gave up: returns the agreement as it was before finalization. */
export function abandonFinalization(agreement: Agreement): Agreement {
  return { ...agreement, finalizing: false };
}

/** Returns the agreement with these parties and their status. An answer-by date ends with the answer. */
export function settle(agreement: Agreement, parties: readonly Party[]): Agreement {
  const withoutPastRequest = (party: Party): Party =>
    party.answerBy && (agreement.cancelled || !isOutstanding(party)) ? { ...party, answerBy: null } : party;
  const next = { ...agreement, parties: parties.map(withoutPastRequest) };
  return { ...next, status: statusOf(next) };
}

function statusOf(agreement: Agreement): DocumentStatus {
  const involved = agreement.parties.filter(isInvolved);
  if (agreement.cancelled || involved.some((party) => party.state === 'rejected')) return 'rejected';
  if (agreement.openInvitations === 0 && allApproved(agreement)) return 'approved';
  if (involved.some((party) => party.state === 'primary' && party.approved)) return 'pending_approval';
  return 'pending';
}

/** A reopened document needs the primary user's approval again, because its parties have changed. */
const withdrawPrimaryApproval = (parties: readonly Party[]): Party[] =>
  parties.map((party) => (party.state === 'primary' ? { ...party, approved: false } : party));

const replace = (parties: readonly Party[], party: Party): Party[] =>
  parties.map((other) => (other.userId === party.userId ? party : other));

/** For other users, a draft does not exist. */
function requireVisible(agreement: Agreement, actorId: string): void {
  if (agreement.status === 'draft' && actorId !== agreement.primaryUserId) throw documentNotFound();
}

/** Throws 403 for any user but the creator, 404 for another user's draft. */
export function requirePrimary(agreement: Agreement, actorId: string): Party {
  requireVisible(agreement, actorId);
  const party = findParty(agreement, actorId);
  if (party?.state !== 'primary') throw notPrimary();
  return party;
}

function requireInvolved(agreement: Agreement, userId: string): Party {
  requireVisible(agreement, userId);
  const party = findParty(agreement, userId);
  if (!party || !isInvolved(party)) throw notInvolved();
  return party;
}

/** Returns a party who has not answered an invitation or admission; throws for any other user. */
function requireOpenAnswer(agreement: Agreement, userId: string): Party {
  const party = requireInvolved(agreement, userId);
  if (party.state === 'primary') throw notInvolved();
  requireOpen(agreement);
  if (party.state !== 'invited' && party.state !== 'admitted') {
    throw alreadyDecided('You have already answered this agreement.');
  }
  requireNotRejected(agreement);
  return party;
}

export function requireOpen(agreement: Agreement): void {
  if (agreement.status === 'draft') throw stillDraft();
  if (agreement.status === 'finalized') throw documentClosed();
  if (agreement.cancelled) throw documentCancelled();
  if (agreement.finalizing) throw beingFinalized();
}

function requireNotRejected(agreement: Agreement): void {
  if (agreement.status === 'rejected') throw documentRejected();
}
