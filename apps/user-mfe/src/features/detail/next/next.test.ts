import type { Document } from '@karaar/contracts/documents/http';
import { nextStep } from './next.ts';
import type { Party } from '../../../shared/roles.ts';

const party = (user_id: string, state: Party['state'], approved = state === 'approved'): Party => ({
  user_id,
  char_id: 'AAAA1111',
  name: `Name ${user_id}`,
  state,
  approved,
  verified: true,
});
const creator = (approved: boolean) => party('u1', 'primary', approved);

const documentWith = (status: Document['status'], parties: Party[]) =>
  ({
    status,
    parties,
    primary_user: 'u1',
    primary_user_name: 'Name u1',
    finalization: null,
  }) as Document;

const next = (status: Document['status'], parties: Party[], userId: string, due = 0) =>
  nextStep(documentWith(status, parties), userId, due);

describe('the creator’s next step', () => {
  it('is adding a person to a document without other parties', () => {
    expect(next('pending', [creator(false)], 'u1')).toEqual({ kind: 'addParty' });
  });

  it('is approving, then waiting, if the only other person is invited by phone number', () => {
    const invited = (status: Document['status'], approved: boolean) => {
      const open_invitations = [{ _id: 'i', hint: '+91 ••••••3210' }];
      return { ...documentWith(status, [creator(approved)]), open_invitations } as Document;
    };
    expect(nextStep(invited('pending', false), 'u1', 0)).toEqual({ kind: 'approve' });
    expect(nextStep(invited('pending_approval', true), 'u1', 0)).toMatchObject({ kind: 'wait' });
  });

  it('is admitting a joiner, before an approval that the admission would end', () => {
    const joiner = party('u3', 'requested');
    for (const status of ['pending', 'approved'] as const)
      expect(next(status, [creator(false), party('u2', 'approved'), joiner], 'u1')).toEqual({
        kind: 'admit',
        party: joiner,
      });
  });

  it('is approving, then waiting for the others by name, then sealing', () => {
    expect(next('pending', [creator(false), party('u2', 'invited')], 'u1')).toEqual({ kind: 'approve' });
    expect(next('pending_approval', [creator(true), party('u2', 'invited')], 'u1')).toEqual({
      kind: 'wait',
      names: 'Name u2',
      toSeal: false,
    });
    expect(next('approved', [creator(true), party('u2', 'approved')], 'u1', 200)).toEqual({ kind: 'seal' });
  });

  it('is settling a rejection, instead of approving or sealing', () => {
    expect(next('rejected', [creator(false), party('u2', 'rejected')], 'u1')).toEqual({ kind: 'settle' });
  });
});

describe('a party’s next step', () => {
  it('is signing after an invitation, and approving after an admission', () => {
    expect(next('pending', [creator(false), party('u2', 'invited')], 'u2')).toEqual({ kind: 'sign' });
    expect(next('pending', [creator(false), party('u2', 'admitted')], 'u2')).toEqual({ kind: 'approve' });
  });

  it('is waiting for users who have not approved, then for the creator to seal', () => {
    const parties = [creator(false), party('u2', 'approved'), party('u3', 'invited')];
    expect(next('pending', parties, 'u2')).toMatchObject({ kind: 'wait', names: 'Name u1, Name u3' });
    expect(next('approved', [creator(true), party('u2', 'approved')], 'u2')).toEqual({
      kind: 'wait',
      names: 'Name u1',
      toSeal: true,
    });
  });

  it('is paying the user’s own share as soon as payment is possible', () => {
    const parties = [creator(true), party('u2', 'approved')];
    expect(next('approved', parties, 'u2', 140.7)).toEqual({ kind: 'pay', rupees: 140.7 });
    expect(next('pending', [creator(false), party('u2', 'approved')], 'u2', 140.7)).toMatchObject({
      kind: 'wait',
    });
  });

  it('is waiting for the creator after any party’s rejection', () => {
    expect(next('rejected', [creator(false), party('u2', 'rejected')], 'u2')).toEqual({
      kind: 'wait',
      names: 'Name u1',
      toSeal: false,
    });
  });
});

it('shows payment and then keeping as the next steps of a sealed document', () => {
  const parties = [creator(true), party('u2', 'approved')];
  expect(next('finalized', parties, 'u1', 201)).toEqual({ kind: 'pay', rupees: 201 });
  for (const who of ['u1', 'u2']) expect(next('finalized', parties, who)).toEqual({ kind: 'keep' });
});

it('shows only waiting as the next step during sealing', () => {
  const document = {
    ...documentWith('approved', [creator(true), party('u2', 'approved')]),
    finalization: { state: 'running', detail: null },
  } as Document;
  for (const who of ['u1', 'u2']) expect(nextStep(document, who, 5)).toEqual({ kind: 'sealing' });
});
