/**
 * What design §3 says of a document and its parties, written down a second time and otherwise than the service
 * does it: as a table of answers. Sequences of commands are run against both.
 */
import type { DocumentStatus } from '@karaar/contracts/documents/http';

export const OWNER = 0;
export type Actor = 0 | 1 | 2 | 3;
export type Command =
  | { do: 'invite' | 'approve-user' | 'remove'; actor: Actor; target: Actor }
  | { do: 'join' | 'accept' | 'reject' | 'self-verify' | 'approve' | 'finalize'; actor: Actor };

type State = 'invited' | 'requested' | 'approved' | 'rejected';
export type Model = {
  finalized: boolean;
  ownerApproved: boolean;
  /** Everybody but the owner, in the order in which they came. */
  others: readonly (readonly [Actor, State])[];
};

export const NEW: Model = { finalized: false, ownerApproved: false, others: [] };

export function statusOf({ finalized, ownerApproved, others }: Model): DocumentStatus {
  if (finalized) return 'finalized';
  const states = others.map(([, state]) => state).filter((state) => state !== 'requested');
  if (states.includes('rejected')) return 'rejected';
  if (!ownerApproved) return 'pending';
  return states.every((state) => state === 'approved') ? 'approved' : 'pending_approval';
}

export const involved = (model: Model): Actor[] => [
  OWNER,
  ...model.others.filter(([, state]) => state !== 'requested').map(([who]) => who),
];

const stateOf = (model: Model, who: Actor): State | undefined =>
  model.others.find(([other]) => other === who)?.[1];
const set = (model: Model, who: Actor, state: State): Model => ({
  ...model,
  others: stateOf(model, who)
    ? model.others.map(([other, was]) => [other, other === who ? state : was] as const)
    : [...model.others, [who, state]],
});
const reopened = (model: Model): Model => ({ ...model, ownerApproved: false });

/** The status of the answer, and the model afterwards (the same object when nothing changes). */
export function step(model: Model, command: Command): { answer: number; after: Model } {
  const refuse = (answer: number) => ({ answer, after: model });
  const take = (after: Model, answer = 200) => ({ answer, after });
  const status = statusOf(model);
  const { actor } = command;
  const mine = stateOf(model, actor);

  switch (command.do) {
    case 'join':
      return status === 'finalized' || actor === OWNER || mine
        ? refuse(409)
        : take(set(model, actor, 'requested'), 202);
    case 'accept':
    case 'reject':
      if (actor === OWNER || !mine || mine === 'requested') return refuse(403);
      if (status === 'finalized' || status === 'rejected' || mine !== 'invited') return refuse(409);
      return take(set(model, actor, command.do === 'accept' ? 'approved' : 'rejected'));
    case 'self-verify':
      if (actor !== OWNER && (!mine || mine === 'requested')) return refuse(403);
      if (status === 'finalized' || status === 'rejected') return refuse(409);
      if (actor === OWNER) return model.ownerApproved ? refuse(409) : take({ ...model, ownerApproved: true });
      return mine === 'approved' ? refuse(409) : take(set(model, actor, 'approved'));
    case 'approve':
      if (actor !== OWNER) return refuse(403);
      if (status === 'finalized' || status === 'rejected' || status === 'approved') return refuse(409);
      return take(model.ownerApproved ? model : { ...model, ownerApproved: true });
    case 'finalize':
      if (actor !== OWNER) return refuse(403);
      return status === 'approved' ? take({ ...model, finalized: true }) : refuse(409);
    default:
      return actor === OWNER ? stepOn(model, command, { refuse, take }) : refuse(403);
  }
}

type Answers = Record<'refuse', (answer: number) => { answer: number; after: Model }> & {
  take: (after: Model) => { answer: number; after: Model };
};

/** What the owner does to another. */
function stepOn(
  model: Model,
  command: Extract<Command, { target: Actor }>,
  { refuse, take }: Answers,
): { answer: number; after: Model } {
  const { target } = command;
  const theirs = stateOf(model, target);
  if (command.do === 'invite') {
    if (model.finalized || target === OWNER || theirs === 'invited' || theirs === 'approved')
      return refuse(409);
    if (theirs === 'requested') return take(set(model, target, 'approved'));
    const after = set(model, target, 'invited');
    return take(theirs === 'rejected' ? reopened(after) : after);
  }
  if (target !== OWNER && !theirs) return refuse(404);
  if (command.do === 'remove') {
    if (target === OWNER) return refuse(400);
    if (model.finalized) return refuse(409);
    const after = { ...model, others: model.others.filter(([who]) => who !== target) };
    return take(theirs === 'rejected' ? reopened(after) : after);
  }
  if (model.finalized) return refuse(409);
  if (target === OWNER) return refuse(403);
  if (theirs === 'approved') return take(model);
  return theirs === 'requested' ? take(set(model, target, 'approved')) : refuse(409);
}
