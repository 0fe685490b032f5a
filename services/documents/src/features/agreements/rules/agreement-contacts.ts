/** What invitations to a number or an address do to an agreement (docs/adr/0078): pure, as `agreement.ts`. */
import { OPEN_INVITATIONS_MAX } from '@karaar/contracts/limits';
import { findParty, invite, requireOpen, requirePrimary, settle, type Agreement } from './agreement.ts';
import { ownInvitation, tooManyOpen } from './agreement.errors.ts';

/** Invites whoever has a number or an address: nobody is involved by it yet, but the document waits. */
export function inviteContact(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  if (agreement.openInvitations >= OPEN_INVITATIONS_MAX) throw tooManyOpen();
  return settle({ ...agreement, openInvitations: agreement.openInvitations + 1 }, agreement.parties);
}

/** The primary user takes an open invitation back. */
export function withdrawContact(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  return closeInvitation(agreement);
}

/**
 * Makes the person who has proved the invited number or address a party, as an invitation by ID does. A person who is a party
 * already keeps their state.
 */
export function acceptContact(agreement: Agreement, userId: string): Agreement {
  requireOpen(agreement);
  const party = findParty(agreement, userId);
  if (party?.state === 'primary') throw ownInvitation();
  const next = closeInvitation(agreement);
  const isThere = party !== undefined && ['invited', 'admitted', 'approved'].includes(party.state);
  return isThere ? next : invite(next, agreement.primaryUserId, userId);
}

const closeInvitation = (agreement: Agreement): Agreement =>
  settle({ ...agreement, openInvitations: agreement.openInvitations - 1 }, agreement.parties);
