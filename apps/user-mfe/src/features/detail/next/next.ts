/** Decides the next step of one person on a document, which its page offers first; pure. */
import type { Document } from '@karaar/contracts/documents/http';
import { userName } from '@karaar/ui/format';
import { involvedParties, openCount, requestedParties, turnOf, type Party } from '../../../shared/roles.ts';

export type Next =
  /** An invited party reads, verifies and approves. */
  | { kind: 'sign' }
  /** A verified party reads and approves. */
  | { kind: 'approve' }
  | { kind: 'admit'; party: Party }
  | { kind: 'addParty' }
  | { kind: 'seal' }
  | { kind: 'sealing' }
  | { kind: 'pay'; rupees: number }
  /** A party has rejected: the creator invites again or removes. */
  | { kind: 'settle' }
  /** The document was cancelled. */
  | { kind: 'over' }
  | { kind: 'wait'; names: string; toSeal: boolean }
  /** Everything is done: the sealed PDF can be saved. */
  | { kind: 'keep' };

const namesOf = (parties: readonly Party[]) => parties.map(({ name }) => userName(name)).join(', ');

/** @param due rupees that this person owes and can pay now; 0 while unknown */
export function nextStep(document: Document, userId: string, due: number): Next {
  if (document.status === 'finalized') return due > 0 ? { kind: 'pay', rupees: due } : { kind: 'keep' };
  if (document.cancelled) return { kind: 'over' };
  if (document.finalization?.state === 'running') return { kind: 'sealing' };
  return document.primary_user === userId ? ofCreator(document, userId) : ofParty(document, userId, due);
}

function ofCreator(document: Document, userId: string): Next {
  if (document.status === 'rejected') return { kind: 'settle' };
  const [joiner] = requestedParties(document);
  if (joiner) return { kind: 'admit', party: joiner };
  if (turnOf(document, userId)) return { kind: 'approve' };
  if (document.status === 'approved') return { kind: 'seal' };
  return involvedParties(document).length > 1 || openCount(document) > 0
    ? waitFor(document, userId)
    : { kind: 'addParty' };
}

function ofParty(document: Document, userId: string, due: number): Next {
  const turn = turnOf(document, userId);
  if (turn) return { kind: turn === 'invited' ? 'sign' : 'approve' };
  if (document.status === 'approved' && due > 0) return { kind: 'pay', rupees: due };
  return waitFor(document, userId);
}

/** Returns those who have not approved; the creator, if the creator must seal or settle a rejection. */
function waitFor(document: Document, userId: string): Next {
  const outstanding = involvedParties(document).filter(
    ({ approved, user_id }) => !approved && user_id !== userId,
  );
  const theirs =
    document.status === 'approved' ||
    document.status === 'rejected' ||
    (outstanding.length === 0 && openCount(document) === 0);
  return {
    kind: 'wait',
    names: theirs ? userName(document.primary_user_name) : namesOf(outstanding),
    toSeal: document.status === 'approved',
  };
}
