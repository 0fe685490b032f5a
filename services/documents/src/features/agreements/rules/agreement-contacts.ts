/** Pure rules for invitations to a phone number or an e-mail address (docs/adr/0078). */
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

/** Invites the owner of a number or an address. The document waits, but no user is involved yet. */
export function inviteContact(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  if (agreement.openInvitations >= OPEN_INVITATIONS_MAX) throw tooManyOpen();
  const parties = endApprovals(agreement.parties, [actorId]);
  return settle({ ...agreement, openInvitations: agreement.openInvitations + 1 }, parties);
}

export function withdrawContact(agreement: Agreement, actorId: string): Agreement {
  requirePrimary(agreement, actorId);
  requireOpen(agreement);
  return closeInvitation(agreement, [actorId]);
}

/** Makes the owner of the proved contact a party, like an invitation by ID. A party keeps their state. */
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
