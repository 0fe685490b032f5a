/**
 * The agreement and its parties: pure rules, no clock, no database (design §3 Document status, Parties).
 *
 * Status is never set by hand: it follows from the parties, except `draft` and `finalized`, which are
 * decided by their own commands. A draft is private: to everybody but its owner it does not exist.
 *
 *   any party rejected                          → rejected
 *   primary and every involved user approved,
 *     and no invitation is open                 → approved
 *   primary approved, others outstanding        → pending_approval
 *   otherwise                                   → pending
 *
 * Nobody is approved but by an act of their own: the primary user's yes to a person who asked to join admits that
 * person, who can read from then on and approves, rejects or withdraws.
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
  /** Set by the very step in which an approved party approves again: this approval takes the place of the one before. */
  reapproved?: true;
  /** Of a rejected one, in the party's own words. */
  rejectReason?: string | null;
  /** The day by which the creator asks it to answer; only while the answer is outstanding. */
  answerBy?: string | null;
};

export type Agreement = {
  id: string;
  status: DocumentStatus;
  primaryUserId: string;
  /** The primary user first, then in the order in which they came. */
  parties: readonly Party[];
  rawFileCount: number;
  /** Invitations to a number or an address that were not accepted yet. Each is an outstanding answer of an unknown person. */
  openInvitations: number;
  /** The durable job composes and seals: nothing may change until it ends. */
  finalizing: boolean;
};

/** Only the primary user sees a person who asked to join; that person becomes an involved user once admitted. */
export const isInvolved = (party: Party): boolean => party.state !== 'requested';

/** Whether the party was invited or admitted and has neither approved nor rejected. */
export const isOutstanding = ({ state, approved }: Pick<Party, 'state' | 'approved'>): boolean =>
  (state === 'invited' || state === 'admitted') && !approved;

export const involvedUsers = (agreement: Agreement): string[] =>
  agreement.parties.filter(isInvolved).map((party) => party.userId);

/**
 * Those who are part of it by an act of their own: who created it, asked to join and was admitted, or accepted. Who was
 * only invited shares nothing with the others yet, or an invitation would show a stranger's phone and e-mail.
 */
export const acquaintedUsers = (agreement: Agreement): string[] =>
  agreement.parties
    .filter(({ state }) => state === 'primary' || state === 'admitted' || state === 'approved')
    .map((party) => party.userId);

/** Those involved who have not approved. */
export const awaitedUsers = (agreement: Agreement): string[] =>
  agreement.parties.filter((party) => isInvolved(party) && !party.approved).map((party) => party.userId);

export const findParty = (agreement: Agreement, userId: string): Party | undefined =>
  agreement.parties.find((party) => party.userId === userId);

/** Whether a party's approval was given in the step from the one to the other. */
export const isGiven = (was: Party | undefined, party: Party): boolean =>
  party.approved && (was?.approved !== true || party.reapproved === true);

export const allApproved = (agreement: Agreement): boolean =>
  agreement.parties.filter(isInvolved).every((party) => party.approved);

/** An invitation that its user has not answered while the document still waits (design §3 Parties). */
export const isPendingAgreementOf = (agreement: Agreement, userId: string): boolean =>
  isWaiting(agreement.status) && findParty(agreement, userId)?.state === 'invited';

const isWaiting = (status: DocumentStatus): boolean => status === 'pending' || status === 'pending_approval';

/** Whether a party's own approval or refusal is what the document waits for. */
const isAwaited = (agreement: Agreement, userId: string): boolean =>
  isPendingAgreementOf(agreement, userId) ||
  (isWaiting(agreement.status) && findParty(agreement, userId)?.state === 'admitted');

type NewAgreement = Pick<Agreement, 'id' | 'primaryUserId' | 'rawFileCount'>;

const begin = (given: NewAgreement, status: 'pending' | 'draft', verified: boolean): Agreement => ({
  ...{ ...given, status, finalizing: false, openInvitations: 0 },
  parties: [{ userId: given.primaryUserId, state: 'primary', approved: false, verified }],
});

/** A new agreement is pending at once; its creator has verified with the images sent along. */
export const createAgreement = (given: NewAgreement): Agreement => begin(given, 'pending', true);

/** A draft: private to its creator, who has not verified yet and may change everything in it. */
export const createDraft = (given: NewAgreement): Agreement => begin(given, 'draft', false);

/** The owner edits or throws away a draft; anything else can no longer be edited. */
export function requireDraftOf(agreement: Agreement, actorId: string): void {
  requirePrimary(agreement, actorId);
  if (agreement.status !== 'draft') throw alreadySubmitted();
}

/** The owner submits a draft, with the images that verify its creator: `draft → pending`. */
export function submit(agreement: Agreement, actorId: string): Agreement {
  requireDraftOf(agreement, actorId);
  if (agreement.rawFileCount === 0) throw filesMissing();
  return settle(
    agreement,
    agreement.parties.map((party) => ({ ...party, verified: true })),
  );
}

/**
 * Ends the approvals of these parties when a party comes or goes: each approved with the parties of that time. A party of
 * `keeps` stays approved: the creator, who made the change or invited the person who accepts.
 */
export const endApprovals = (parties: readonly Party[], keeps: readonly string[] = []): Party[] =>
  parties.map((party) =>
    party.approved && !keeps.includes(party.userId)
      ? { ...party, approved: false, state: party.state === 'primary' ? 'primary' : 'admitted' }
      : party,
  );

/**
 * Invites a user, or invites a user again who rejected. A user who asked to join is admitted: the images given on
 * joining stand as the verification.
 */
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

/** Asks to join by code, with verification; waits for the primary user. */
export function requestToJoin(agreement: Agreement, userId: string): Agreement {
  requireVisible(agreement, userId);
  requireOpen(agreement);
  if (findParty(agreement, userId)) throw alreadyParty();
  const joiner: Party = { userId, state: 'requested', approved: false, verified: true };
  return settle(agreement, [...agreement.parties, joiner]);
}

/** An invited user accepts, with verification. */
export function accept(agreement: Agreement, userId: string): Agreement {
  const party = requireOpenAnswer(agreement, userId);
  if (party.state !== 'invited') throw alreadyVerified();
  return settle(
    agreement,
    replace(agreement.parties, { ...party, state: 'approved', approved: true, verified: true }),
  );
}

/** A user who is invited or admitted refuses. */
export function reject(agreement: Agreement, userId: string, reason: string | null = null): Agreement {
  const party = requireOpenAnswer(agreement, userId);
  return settle(agreement, replace(agreement.parties, { ...party, state: 'rejected', rejectReason: reason }));
}

/**
 * Any involved user verifies oneself, as often as wanted until finalization, and approves, unless told otherwise; the
 * primary user's own approval is the document's. An earlier approval is withdrawn by it: the images that stood for it
 * are gone.
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

/**
 * One's own approval, of what could be read since one was invited or admitted. Repeating it while others are
 * outstanding changes nothing.
 */
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

/** The primary user admits a person who asked to join; one who is further already stays as it is. */
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

/**
 * An involved user other than the primary leaves, which ends all approvals. Whether a share is paid is asked of payments,
 * not here.
 */
export function withdraw(agreement: Agreement, userId: string): Agreement {
  const party = requireInvolved(agreement, userId);
  if (party.state === 'primary') throw creatorStays();
  requireOpen(agreement);
  const rest = agreement.parties.filter((other) => other.userId !== userId);
  return settle(agreement, endApprovals(rest));
}

/** The primary user reminds a party whose answer is awaited; nothing changes. */
export function requireReminding(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  if (!findParty(agreement, userId)) throw partyNotFound();
  if (!isAwaited(agreement, userId)) throw nothingToAnswer();
  return agreement;
}

/**
 * The primary user takes a party off, which ends the others' approvals; taking off the one who rejected reopens the
 * document, and ends the primary user's as well. A person who only asked to join was not a party.
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

/** The primary user starts finalization of an approved agreement; from now on nothing may change. */
export function startFinalization(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  if (agreement.status !== 'approved') throw notApproved();
  return { ...agreement, finalizing: true };
}

/** The sealed file is stored: the agreement is final. */
export function finalize(agreement: Agreement): Agreement {
  if (!agreement.finalizing) throw notApproved();
  return { ...agreement, status: 'finalized', finalizing: false };
}

/** The job gave up: the agreement is as it was before finalization started. */
export function abandonFinalization(agreement: Agreement): Agreement {
  return { ...agreement, finalizing: false };
}

/** The agreement with these parties, and the status that follows from them. A date to answer by ends with the answer. */
export function settle(agreement: Agreement, parties: readonly Party[]): Agreement {
  const next = { ...agreement, parties: parties.map(withoutPastRequest) };
  return { ...next, status: statusOf(next) };
}

const withoutPastRequest = (party: Party): Party =>
  party.answerBy && !isOutstanding(party) ? { ...party, answerBy: null } : party;

function statusOf(agreement: Agreement): DocumentStatus {
  const involved = agreement.parties.filter(isInvolved);
  if (involved.some((party) => party.state === 'rejected')) return 'rejected';
  if (agreement.openInvitations === 0 && allApproved(agreement)) return 'approved';
  if (involved.some((party) => party.state === 'primary' && party.approved)) return 'pending_approval';
  return 'pending';
}

/** A reopened document waits for the primary user again: the parties are others than those approved. */
const withdrawPrimaryApproval = (parties: readonly Party[]): Party[] =>
  parties.map((party) => (party.state === 'primary' ? { ...party, approved: false } : party));

const replace = (parties: readonly Party[], party: Party): Party[] =>
  parties.map((other) => (other.userId === party.userId ? party : other));

/** To others a draft does not exist. */
function requireVisible(agreement: Agreement, actorId: string): void {
  if (agreement.status === 'draft' && actorId !== agreement.primaryUserId) throw documentNotFound();
}

/** Throws 403 for anybody but the creator, 404 for another's draft. */
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

/** Returns a party who was invited or admitted and has neither approved nor rejected; throws for any other user. */
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

/** Throws 409 unless the agreement can change. */
export function requireOpen(agreement: Agreement): void {
  if (agreement.status === 'draft') throw stillDraft();
  if (agreement.status === 'finalized') throw documentClosed();
  if (agreement.finalizing) throw beingFinalized();
}

function requireNotRejected(agreement: Agreement): void {
  if (agreement.status === 'rejected') throw documentRejected();
}
