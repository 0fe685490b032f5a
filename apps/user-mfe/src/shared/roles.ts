/** The permissions on a document, as the page shows them (spec §6). The server decides. */
import type { Document, DocumentStub } from '@karaar/contracts/documents/http';
import { formatDate, userName } from '@karaar/ui/format';
import type { Static } from 'typebox';
import type { KeyOf, Message } from '@karaar/i18n';
import type en from './catalogs/detail/texts/en.json';

export type Stub = Static<typeof DocumentStub>;
export type Party = Document['parties'][number];

/** Returns true for the whole document, which its parties see; others see a stub. */
export const isWhole = (document: Document | Stub): document is Document => 'involved_users' in document;

export type Actions = {
  isPrimary: boolean;
  manage: boolean;
  viewUsers: boolean;
  verify: boolean;
  approve: boolean;
  /** Replaces the given images, and withdraws the user's own approval. */
  verifyAgain: boolean;
  reject: boolean;
  withdraw: boolean;
  /** Ends the document for all, while it is not sealed. */
  cancel: boolean;
  finalize: 'not-yet' | 'ready' | 'running' | 'done';
  /** Shown to the primary; payable once approved or finalized. */
  pay: boolean;
  payable: boolean;
  makePayment: boolean;
};

const settled: readonly Document['status'][] = ['approved', 'finalized'];
const open: readonly Document['status'][] = ['pending', 'pending_approval'];

/** The role in which a party must read and answer. */
export type Turn = 'invited' | 'admitted' | 'primary';

/** Returns the role in which a user must now read the document and answer, if any. */
export function turnOf(
  { status, parties, open_invitations }: Pick<Document, 'status' | 'parties' | 'open_invitations'>,
  userId: string,
): Turn | null {
  const me = parties.find((party) => party.user_id === userId);
  if (!me || me.approved || !open.includes(status)) return null;
  if (me.state === 'invited' || me.state === 'admitted') return me.state;
  // A creator alone on the document must first add the other party.
  const accompanied =
    openCount({ open_invitations }) > 0 ||
    parties.some((party) => party.state !== 'primary' && party.state !== 'requested');
  return me.state === 'primary' && accompanied ? 'primary' : null;
}

/** Returns the buttons of the detail page for a user. */
export function actionsFor(document: Document, userId: string): Actions {
  const isPrimary = document.primary_user === userId;
  const mine = document.user_approvals[userId];
  const turn = turnOf(document, userId);
  const isOver =
    document.status === 'finalized' ||
    document.finalization?.state === 'running' ||
    document.cancelled !== undefined;
  // A rejected document waits for the creator to invite or remove the party who rejected it.
  const isOpen = open.includes(document.status);
  return {
    isPrimary,
    manage: isPrimary && !document.cancelled,
    viewUsers: !isPrimary,
    verify: isOpen && mine?.approved !== true,
    approve: isPrimary && isOpen && mine?.approved !== true,
    verifyAgain: (isOpen || document.status === 'approved') && !isOver && mine?.approved === true,
    reject: turn === 'invited' || turn === 'admitted',
    withdraw: !isOver && !isPrimary && mine !== undefined,
    cancel: !isOver && isPrimary && document.status !== 'draft',
    finalize: finalizeState(document),
    pay: isPrimary,
    payable: settled.includes(document.status),
    makePayment: document.status === 'finalized',
  };
}

function finalizeState({ status, finalization }: Document): Actions['finalize'] {
  if (status === 'finalized') return 'done';
  if (finalization?.state === 'running') return 'running';
  return status === 'approved' ? 'ready' : 'not-yet';
}

/** Returns the involved users as people, the creator first; requested joiners are not involved yet. */
export const involvedParties = (document: Document): Party[] =>
  document.parties.filter((party) => party.state !== 'requested');

/** Returns the number of open invitations to a number or an address. */
export const openCount = ({ open_invitations = [] }: Pick<Document, 'open_invitations'>): number =>
  open_invitations.length;

/** Returns the people who asked to join and wait for the creator. */
export const requestedParties = (document: Document): Party[] =>
  document.parties.filter((party) => party.state === 'requested');

const ASKED = { invited: 'deskInvited', admitted: 'deskAdmitted', primary: 'deskCreator' } as const;
const AGAIN = { parties_changed: 'deskEnded', verified_again: 'deskVerifiedAgain' } as const;

/** Returns the note above the pages: why a party reads them. */
export function deskNote(
  { parties, primary_user_name }: Pick<Document, 'parties' | 'primary_user_name'>,
  userId: string,
  turn: Turn,
): Message<KeyOf<typeof en>> {
  const again = parties.find((party) => party.user_id === userId)?.approve_again;
  return again ? { key: AGAIN[again] } : { key: ASKED[turn], values: { name: userName(primary_user_name) } };
}

const names = (parties: readonly Party[]) => parties.map((party) => userName(party.name)).join(', ');

export type Waiting = { tone: 'waiting' | 'rejected'; message: Message<KeyOf<typeof en>> };

const lapsedMessage = (late: string, day: string): Waiting['message'] =>
  late
    ? { key: 'lapsedFor', values: { name: userName(late), day } }
    : { key: 'lapsedForInvited', values: { day } };

/** Returns whom and what the document waits for; null if nothing is outstanding. */
export function waitingFor(document: Document, userId: string): Waiting | null {
  if (settled.includes(document.status)) return null;
  const parties = involvedParties(document);
  const refused = parties.filter((party) => party.state === 'rejected');
  if (document.cancelled) {
    const { by_name, at, late_name } = document.cancelled;
    if (late_name !== undefined)
      return { tone: 'rejected', message: lapsedMessage(late_name, formatDate(at)) };
    const values = { name: userName(by_name), day: formatDate(at) };
    return { tone: 'rejected', message: { key: 'cancelledBy', values } };
  }
  if (document.status === 'rejected') {
    const onlyMe = refused.every((party) => party.user_id === userId);
    const message: Waiting['message'] = onlyMe
      ? { key: 'rejectDone' }
      : { key: 'rejectedBy', values: { names: names(refused) } };
    return { tone: 'rejected', message };
  }
  const outstanding = parties.filter((party) => !party.approved);
  const me = outstanding.find((party) => party.user_id === userId);
  if (me && me.state !== 'primary')
    return {
      tone: 'waiting',
      message: { key: me.state === 'admitted' ? 'yourTurnToRead' : 'waitingForYou' },
    };
  const others = outstanding.filter((party) => party.state !== 'primary');
  if (others.length > 0) return { tone: 'waiting', message: waitingForOthers(others) };
  const open = openCount(document);
  if (outstanding.length === 0)
    return open > 0 ? { tone: 'waiting', message: { key: 'waitingForInvited' } } : null;
  if (!me) return { tone: 'waiting', message: { key: 'waitingForApproval' } };
  return {
    tone: 'waiting',
    message: { key: parties.length > 1 || open > 0 ? 'waitingForYourApproval' : 'waitingForParty' },
  };
}

function waitingForOthers(others: readonly Party[]): Waiting['message'] {
  const values = { names: names(others) };
  if (others.every((party) => party.state === 'admitted')) return { key: 'waitingToRead', values };
  return { key: others.some((party) => party.state === 'admitted') ? 'waitingForAll' : 'waitingFor', values };
}
