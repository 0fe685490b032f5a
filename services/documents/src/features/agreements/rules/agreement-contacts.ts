/** What invitations to a number or an address do to an agreement (docs/adr/0078): pure, as `agreement.ts`. */
import { OPEN_INVITATIONS_MAX } from '@karaar/contracts/limits';
import {
  endApprovals,
  findParty,
  invite,
  requireOpen,
  requirePrimary,
  settle,
  type Agreement,
} from './agreement.ts';
import { ownInvitation, tooManyOpen } from './agreement.errors.ts';

/** Invites whoever has a number or an address: nobody is involved by it yet, but the document waits. */
export function inviteContact(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  if (agreement.openInvitations >= OPEN_INVITATIONS_MAX) throw tooManyOpen();
  const parties = endApprovals(agreement.parties, [actorId]);
  return settle({ ...agreement, openInvitations: agreement.openInvitations + 1 }, parties);
}

/** The primary user takes an open invitation back. */
export function withdrawContact(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  return closeInvitation(agreement, [actorId]);
}

/**
 * Makes the person who has proved the invited number or address a party, as an invitation by ID does. A person who is a party
 * already keeps their state.
 */
export function acceptContact(agreement: Agreement, userId: string): Agreement {
  requireOpen(agreement);
  const party = findParty(agreement, userId);
  if (party?.state === 'primary') throw ownInvitation();
  const next = closeInvitation(agreement, [agreement.primaryUserId, userId]);
  const isThere = party !== undefined && ['invited', 'admitted', 'approved'].includes(party.state);
  return isThere ? next : invite(next, agreement.primaryUserId, userId);
}

const closeInvitation = (agreement: Agreement, keeps: readonly string[]): Agreement =>
  settle(
    { ...agreement, openInvitations: agreement.openInvitations - 1 },
    endApprovals(agreement.parties, keeps),
  );
