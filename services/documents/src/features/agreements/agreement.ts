/**
 * The agreement and its parties: pure rules, no clock, no database (design §3 Document status, Parties).
 *
 * Status is never set by hand: it follows from the parties, except `draft` and `finalized`, which are
 * decided by their own commands. A draft is private: to everybody but its owner it does not exist.
 *
 *   any party rejected                          → rejected
 *   primary and every involved user approved    → approved
 *   primary approved, others outstanding        → pending_approval
 *   otherwise                                   → pending
 */
import type { DocumentStatus } from '@karaar/contracts/documents/http';
import {
  alreadyDecided,
  alreadyParty,
  alreadySubmitted,
  beingFinalized,
  cannotRemovePrimary,
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
} from './agreement.errors.ts';

export type PartyState = 'primary' | 'invited' | 'requested' | 'approved' | 'rejected';

export type Party = {
  userId: string;
  state: PartyState;
  approved: boolean;
  /** Live face, eye and signature were checked and stored. */
  verified: boolean;
};

export type Agreement = {
  id: string;
  status: DocumentStatus;
  primaryUserId: string;
  /** The primary user first, then in the order in which they came. */
  parties: readonly Party[];
  rawFileCount: number;
  /** The durable job composes and seals: nothing may change until it ends. */
  finalizing: boolean;
};

/** A requested joiner is known to the primary only and is no involved user until approved. */
export const isInvolved = (party: Party): boolean => party.state !== 'requested';

export const involvedUsers = (agreement: Agreement): string[] =>
  agreement.parties.filter(isInvolved).map((party) => party.userId);

export const findParty = (agreement: Agreement, userId: string): Party | undefined =>
  agreement.parties.find((party) => party.userId === userId);

export const isInvolvedUser = (agreement: Agreement, userId: string): boolean =>
  agreement.parties.some((party) => party.userId === userId && isInvolved(party));

export const allApproved = (agreement: Agreement): boolean =>
  agreement.parties.filter(isInvolved).every((party) => party.approved);

/** An invitation that its user has not answered while the document still waits (design §3 Parties). */
export const isPendingAgreementOf = (agreement: Agreement, userId: string): boolean =>
  (agreement.status === 'pending' || agreement.status === 'pending_approval') &&
  findParty(agreement, userId)?.state === 'invited';

/** A new agreement is pending at once; its creator has verified with the images sent along. */
export function createAgreement(input: {
  id: string;
  primaryUserId: string;
  rawFileCount: number;
}): Agreement {
  return {
    ...input,
    status: 'pending',
    finalizing: false,
    parties: [{ userId: input.primaryUserId, state: 'primary', approved: false, verified: true }],
  };
}

/** A draft: private to its creator, who has not verified yet and may change everything in it. */
export function createDraft(input: { id: string; primaryUserId: string; rawFileCount: number }): Agreement {
  return {
    ...input,
    status: 'draft',
    finalizing: false,
    parties: [{ userId: input.primaryUserId, state: 'primary', approved: false, verified: false }],
  };
}

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

/** Invites a user, or invites again one who rejected. */
export function invite(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  const party = findParty(agreement, userId);
  const invited: Party = { userId, state: 'invited', approved: false, verified: false };
  if (!party) return settle(agreement, [...agreement.parties, invited]);
  if (party.state === 'rejected') {
    return settle(agreement, withdrawPrimaryApproval(replace(agreement.parties, invited)));
  }
  if (party.state === 'requested') {
    // The primary wants exactly this user: the images given on joining stand as the verification.
    return settle(agreement, replace(agreement.parties, { ...party, state: 'approved', approved: true }));
  }
  throw alreadyParty();
}

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
  const party = requireInvitation(agreement, userId);
  return settle(
    agreement,
    replace(agreement.parties, { ...party, state: 'approved', approved: true, verified: true }),
  );
}

/** An invited user refuses. */
export function reject(agreement: Agreement, userId: string): Agreement {
  const party = requireInvitation(agreement, userId);
  return settle(agreement, replace(agreement.parties, { ...party, state: 'rejected' }));
}

/** Any involved user verifies and approves oneself; the primary user's own approval is the document's. */
export function selfVerify(agreement: Agreement, userId: string): Agreement {
  const party = requireInvolved(agreement, userId);
  requireOpen(agreement);
  requireNotRejected(agreement);
  if (party.approved) throw alreadyDecided('You have already approved this document.');
  if (party.state === 'primary') {
    const verified = replace(agreement.parties, { ...party, verified: true });
    return approve({ ...agreement, parties: verified }, userId, userId);
  }
  return settle(
    agreement,
    replace(agreement.parties, { ...party, state: 'approved', approved: true, verified: true }),
  );
}

/** The primary user approves the document. Repeating it while others are outstanding changes nothing. */
export function approve(agreement: Agreement, actorId: string, userId: string): Agreement {
  const primary = requirePrimary(agreement, actorId);
  if (!findParty(agreement, userId)) throw partyNotFound();
  if (userId !== actorId) throw ownApprovalOnly();
  requireOpen(agreement);
  requireNotRejected(agreement);
  if (agreement.status === 'approved') throw alreadyDecided('This document is already approved.');
  if (agreement.rawFileCount === 0) throw uploadFirst();
  if (primary.approved) return agreement;
  return settle(agreement, replace(agreement.parties, { ...primary, approved: true }));
}

/** The primary user approves a verified party; an approved one stays as it is. */
export function approveUser(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  const party = findParty(agreement, userId);
  if (!party) throw partyNotFound();
  requireOpen(agreement);
  if (party.state === 'primary') throw ownApprovalOnly();
  if (party.approved) return agreement;
  if (!party.verified) throw notVerified();
  return settle(agreement, replace(agreement.parties, { ...party, state: 'approved', approved: true }));
}

/** The primary user reminds a party whose answer is awaited; nothing changes. */
export function requireReminding(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  if (!findParty(agreement, userId)) throw partyNotFound();
  if (!isPendingAgreementOf(agreement, userId)) throw nothingToAnswer();
  return agreement;
}

/** The primary user takes a party off; taking off the one who rejected reopens the document. */
export function removeUser(agreement: Agreement, actorId: string, userId: string): Agreement {
  requirePrimary(agreement, actorId);
  const party = findParty(agreement, userId);
  if (!party) throw partyNotFound();
  if (party.state === 'primary') throw cannotRemovePrimary();
  requireOpen(agreement);
  const rest = agreement.parties.filter((other) => other.userId !== userId);
  return settle(agreement, party.state === 'rejected' ? withdrawPrimaryApproval(rest) : rest);
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

function settle(agreement: Agreement, parties: readonly Party[]): Agreement {
  const next = { ...agreement, parties };
  return { ...next, status: statusOf(next) };
}

function statusOf(agreement: Agreement): DocumentStatus {
  const involved = agreement.parties.filter(isInvolved);
  if (involved.some((party) => party.state === 'rejected')) return 'rejected';
  if (involved.every((party) => party.approved)) return 'approved';
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

function requirePrimary(agreement: Agreement, actorId: string): Party {
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

function requireInvitation(agreement: Agreement, userId: string): Party {
  const party = requireInvolved(agreement, userId);
  if (party.state === 'primary') throw notInvolved();
  requireOpen(agreement);
  if (party.state !== 'invited') throw alreadyDecided('You have already answered this agreement.');
  requireNotRejected(agreement);
  return party;
}

function requireOpen(agreement: Agreement): void {
  if (agreement.status === 'draft') throw stillDraft();
  if (agreement.status === 'finalized') throw documentClosed();
  if (agreement.finalizing) throw beingFinalized();
}

function requireNotRejected(agreement: Agreement): void {
  if (agreement.status === 'rejected') throw documentRejected();
}
