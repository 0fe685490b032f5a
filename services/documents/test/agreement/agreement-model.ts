/**
 * A second, independent implementation of the rules for documents and parties (design §3), as a table of
 * responses. Tests run sequences of commands against both.
 */
import type { DocumentStatus } from '@karaar/contracts/documents/http';

export const OWNER = 0;
export type Actor = 0 | 1 | 2 | 3;
export type Command =
  | { do: 'invite' | 'approve-user' | 'remove'; actor: Actor; target: Actor }
  | {
      do:
        | 'join'
        | 'accept'
        | 'reject'
        | 'withdraw'
        | 'cancel'
        | 'self-verify'
        | 'only-verify'
        | 'approve'
        | 'approve-unread'
        | 'finalize';
      actor: Actor;
    }
  /** Another user's approval, which the service always refuses. */
  | { do: 'approve-for'; actor: Actor; target: Actor };

type State = 'invited' | 'requested' | 'admitted' | 'approved' | 'rejected';
export type Model = {
  finalized: boolean;
  cancelled: boolean;
  ownerApproved: boolean;
  /** All users except the owner, in the order in which they came. */
  others: readonly (readonly [Actor, State])[];
  verified: readonly Actor[];
  /** Approvals that were given and withdrawn, by any user. */
  given: number;
  withdrawn: number;
  /** Withdrawn approvals that ended because a party came or went, not by the user's own act. */
  ended: number;
};

export const NEW: Model = {
  finalized: false,
  cancelled: false,
  ownerApproved: false,
  others: [],
  verified: [],
  given: 0,
  withdrawn: 0,
  ended: 0,
};

export function statusOf({ finalized, cancelled, ownerApproved, others }: Model): DocumentStatus {
  if (finalized) return 'finalized';
  if (cancelled) return 'rejected';
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
const hasApproved = (model: Model, who: Actor): boolean =>
  who === OWNER ? model.ownerApproved : stateOf(model, who) === 'approved';
const verify = (model: Model, who: Actor): Model => ({
  ...model,
  verified: [...model.verified.filter((other) => other !== who), who],
});
const without = (model: Model, who: Actor): Model => ({
  ...withdrawn(model, who),
  others: model.others.filter(([other]) => other !== who),
  verified: model.verified.filter((other) => other !== who),
});
const withdrawn = (model: Model, who: Actor): Model => {
  if (!hasApproved(model, who)) return model;
  const after = { ...model, withdrawn: model.withdrawn + 1 };
  return who === OWNER ? { ...after, ownerApproved: false } : set(after, who, 'admitted');
};
const approved = (model: Model, who: Actor): Model => {
  const after = { ...withdrawn(model, who), given: model.given + 1 };
  return who === OWNER ? { ...after, ownerApproved: true } : set(after, who, 'approved');
};
const reopened = (model: Model): Model => withdrawn(model, OWNER);
const endedFor = (model: Model, whose: readonly Actor[]): Model =>
  whose.reduce((now, who) => {
    const after = withdrawn(now, who);
    return after === now ? now : { ...after, ended: after.ended + 1 };
  }, model);
const othersIn = (model: Model, but: Actor): Actor[] =>
  model.others.map(([who]) => who).filter((who) => who !== but);
const changedBy = (owner: Model, but: Actor): Model => endedFor(owner, othersIn(owner, but));

/** Returns the status of the response and the next model (the same object if nothing changes). */
export function step(model: Model, command: Command): { answer: number; after: Model } {
  const refuse = (answer: number) => ({ answer, after: model });
  const take = (after: Model, answer = 200) => ({ answer, after });
  const status = statusOf(model);
  const { actor } = command;
  const mine = stateOf(model, actor);
  const outside = actor !== OWNER && (!mine || mine === 'requested');
  const over = model.finalized || model.cancelled;
  const waits = status !== 'finalized' && status !== 'rejected';

  switch (command.do) {
    case 'join':
      return over || actor === OWNER || mine
        ? refuse(409)
        : take(verify(set(model, actor, 'requested'), actor), 202);
    case 'accept':
      if (actor === OWNER || outside) return refuse(403);
      return waits && mine === 'invited' ? take(approved(verify(model, actor), actor)) : refuse(409);
    case 'reject':
      if (actor === OWNER || outside) return refuse(403);
      return waits && (mine === 'invited' || mine === 'admitted')
        ? take(set(model, actor, 'rejected'))
        : refuse(409);
    case 'withdraw':
      if (actor === OWNER || outside) return refuse(403);
      return over ? refuse(409) : take(endedFor(without(model, actor), [OWNER, ...othersIn(model, actor)]));
    case 'self-verify':
    case 'only-verify':
      if (outside) return refuse(403);
      if (!waits) return refuse(409);
      return command.do === 'self-verify'
        ? take(approved(verify(model, actor), actor))
        : take(verify(withdrawn(model, actor), actor));
    case 'approve':
    case 'approve-unread':
      if (outside) return refuse(403);
      if (!waits || status === 'approved') return refuse(409);
      if (!hasApproved(model, actor) && actor !== OWNER && !model.verified.includes(actor))
        return refuse(409);
      if (command.do === 'approve-unread') return refuse(409);
      return take(hasApproved(model, actor) ? model : approved(model, actor));
    case 'approve-for':
      return refuse(
        actor === OWNER && command.target !== OWNER && !stateOf(model, command.target) ? 404 : 403,
      );
    case 'cancel':
      if (actor !== OWNER) return refuse(403);
      return over ? refuse(409) : take({ ...model, cancelled: true });
    case 'finalize':
      if (actor !== OWNER) return refuse(403);
      return status === 'approved' ? take({ ...model, finalized: true }) : refuse(409);
    case 'invite':
    case 'approve-user':
    case 'remove':
      return actor === OWNER ? stepOn(model, command, { refuse, take }) : refuse(403);
  }
}

type Answers = Record<'refuse', (answer: number) => { answer: number; after: Model }> & {
  take: (after: Model) => { answer: number; after: Model };
};

function stepOn(
  model: Model,
  command: Extract<Command, { do: 'invite' | 'approve-user' | 'remove' }>,
  { refuse, take }: Answers,
): { answer: number; after: Model } {
  const { target } = command;
  const theirs = stateOf(model, target);
  const over = model.finalized || model.cancelled;
  if (command.do === 'invite') {
    if (over || target === OWNER || theirs === 'invited' || theirs === 'approved') return refuse(409);
    if (theirs === 'admitted') return take(model);
    if (theirs === 'requested') return take(set(changedBy(model, target), target, 'admitted'));
    const after = set(model, target, 'invited');
    return take(theirs === 'rejected' ? reopened(after) : changedBy(after, target));
  }
  if (target !== OWNER && !theirs) return refuse(404);
  if (command.do === 'remove') {
    if (target === OWNER) return refuse(400);
    if (over) return refuse(409);
    const after = without(model, target);
    if (theirs === 'requested') return take(after);
    return take(changedBy(theirs === 'rejected' ? reopened(after) : after, target));
  }
  if (over) return refuse(409);
  if (target === OWNER) return refuse(403);
  if (theirs === 'requested') return take(set(changedBy(model, target), target, 'admitted'));
  return theirs !== 'rejected' && model.verified.includes(target) ? take(model) : refuse(409);
}
