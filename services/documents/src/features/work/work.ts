/** Derives what a user has to do about a document, and what waits for others. */
import type { DocumentStatus, WorkItem, PartyState } from '@karaar/contracts/documents/http';

export type WorkParty = {
  user_id: string;
  name: string | null;
  state: PartyState;
  approved: boolean;
  answer_by: string | null;
};

export type WorkDocument = {
  id: string;
  name: string;
  status: DocumentStatus;
  finalizing: boolean;
  cancelled: boolean;
  paid: boolean;
  /** True if the creator has paid a share. */
  creator_paid: boolean;
  open_invitations: number;
  parties: WorkParty[];
};

type Kind = WorkItem['kind'];
export type Work = {
  kind: Kind;
  document: WorkDocument;
  people: WorkParty[];
  answerBy?: string | null;
};
export type Worklist = { mine: Work[]; others: Work[] };

/** Returns the work about a document. @param viewerId a party, or a user who has asked to join */
export function workOn(document: WorkDocument, viewerId: string): Worklist {
  const me = document.parties.find((party) => party.user_id === viewerId);
  const creator = document.parties.filter((party) => party.state === 'primary');
  const mine = (kind: Kind, people: WorkParty[]): Worklist => ({
    mine: [{ kind, document, people }],
    others: [],
  });
  const theirs = (kind: Kind, people: WorkParty[]): Worklist => ({
    mine: [],
    others: [{ kind, document, people }],
  });
  const nothing: Worklist = { mine: [], others: [] };
  if (!me || document.cancelled) return nothing;
  if (me.state === 'requested') return isOpen(document) ? theirs('admission', creator) : nothing;
  const isCreator = me.state === 'primary';
  switch (document.status) {
    case 'draft':
      return mine('draft', []);
    case 'pending':
    case 'pending_approval':
      return isCreator ? creatorsWork(document, me) : partysWork(document, me, creator);
    case 'rejected':
      if (isCreator) return mine('rejected', inState(document, 'rejected'));
      return me.state === 'rejected' ? nothing : theirs('decision', creator);
    case 'approved':
      if (document.finalizing) return nothing;
      return isCreator ? mine('seal', []) : theirs('sealing', creator);
    case 'finalized':
      return isCreator && !document.paid && !document.creator_paid ? mine('pay', []) : nothing;
  }
}

const isOpen = ({ status }: WorkDocument): boolean =>
  status === 'pending' || status === 'pending_approval' || status === 'approved' || status === 'rejected';

const inState = ({ parties }: WorkDocument, state: PartyState): WorkParty[] =>
  parties.filter((party) => party.state === state);

/** The creator's work on an open document: joiners to admit, the creator's own approval, and missing answers. */
function creatorsWork(document: WorkDocument, me: WorkParty): Worklist {
  const asking = inState(document, 'requested');
  const others = document.parties.filter(({ state }) => state !== 'primary' && state !== 'requested');
  const waiting = (['invited', 'admitted'] as const).flatMap((state): Work[] => {
    const people = inState(document, state).filter(({ approved }) => !approved);
    return people.length > 0 ? [{ kind: state === 'invited' ? 'answer' : 'reading', document, people }] : [];
  });
  // An open invitation waits for a person without an account, so the item names none.
  if (document.open_invitations > 0 && !waiting.some(({ kind }) => kind === 'answer'))
    waiting.push({ kind: 'answer', document, people: [] });
  const accompanied = others.length > 0 || document.open_invitations > 0;
  const mine: Work[] = asking.map((person) => ({ kind: 'admit', document, people: [person] }));
  if (!accompanied && asking.length === 0) mine.push({ kind: 'invite', document, people: [] });
  if (others.length > 0 && !me.approved) mine.push({ kind: 'approve', document, people: [] });
  return { mine, others: waiting };
}

/** A party's work on an open document of another creator. */
function partysWork(document: WorkDocument, me: WorkParty, creator: WorkParty[]): Worklist {
  if (!me.approved) {
    const kind = me.state === 'invited' ? 'accept' : 'read';
    return { mine: [{ kind, document, people: creator, answerBy: me.answer_by }], others: [] };
  }
  const people = document.parties.filter(({ state, approved }) => state !== 'requested' && !approved);
  return { mine: [], others: people.length > 0 ? [{ kind: 'approval', document, people }] : [] };
}

/** Sorts the viewer's work: by answer-by date, then undated work in its given order, with unfinished drafts last. */
export function inOrder(mine: readonly Work[]): Work[] {
  const dated = mine.filter(({ answerBy }) => answerBy);
  const dateless = mine.filter(({ answerBy }) => !answerBy);
  return [
    ...dated.toSorted((a, b) => String(a.answerBy).localeCompare(String(b.answerBy))),
    ...dateless.filter(({ kind }) => kind !== 'draft'),
    ...dateless.filter(({ kind }) => kind === 'draft'),
  ];
}
