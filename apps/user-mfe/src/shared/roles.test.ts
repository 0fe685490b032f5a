import type { Document } from '@karaar/contracts/documents/http';
import {
  actionsFor,
  deskNote,
  involvedParties,
  isWhole,
  requestedParties,
  turnOf,
  waitingFor,
  type Party,
} from './roles.ts';
import { detailTexts } from './catalogs/detail/texts.ts';

beforeAll(() => detailTexts.load());

const waitingText = (document: Document, userId: string) => {
  const waits = waitingFor(document, userId);
  return waits && detailTexts.say(waits.message);
};

const party = (user_id: string, state: Party['state'], approved = false): Party => ({
  user_id,
  char_id: 'AAAA1111',
  name: `Name ${user_id}`,
  state,
  approved,
  verified: approved,
});

function documentWith(
  status: Document['status'],
  parties: Party[],
  finalization: Document['finalization'] = null,
): Document {
  const involved = parties.filter((each) => each.state !== 'requested');
  return {
    _id: 'd1',
    document_id: 'd1',
    name: 'Rent',
    document_code: '9H4TR2WK',
    status,
    blockchain: false,
    location: null,
    start_date: null,
    end_date: null,
    created_at: '2026-11-01T00:00:00Z',
    description: null,
    page_details: [],
    upload_raw_docs: ['/x'],
    final_docs: [],
    final_files: [],
    raw_files: [],
    primary_user: 'u1',
    primary_user_name: 'Name u1',
    involved_users: involved.map((each) => each.user_id),
    user_approvals: Object.fromEntries(
      involved.map((each) => [
        each.user_id,
        { approved: each.approved, approved_at: null, is_primary: each.state === 'primary' },
      ]),
    ),
    parties,
    total_amount: 1,
    duration_days: 1,
    finalization,
  };
}

const waiting = documentWith('pending', [
  party('u1', 'primary'),
  party('u2', 'invited'),
  party('u3', 'requested'),
]);

describe('actionsFor', () => {
  it('[DOC-051] [DOC-053] [DOC-055] [DOC-056] gives the primary user managing, approving, paying and verifying', () => {
    expect(actionsFor(waiting, 'u1')).toMatchObject({
      isPrimary: true,
      manage: true,
      viewUsers: false,
      approve: true,
      verify: true,
      pay: true,
      payable: false,
    });
  });

  it('[DOC-057] [DOC-058] gives another involved user verifying and viewing, nothing to manage', () => {
    expect(actionsFor(waiting, 'u2')).toMatchObject({
      isPrimary: false,
      manage: false,
      viewUsers: true,
      approve: false,
      verify: true,
      pay: false,
    });
  });

  it('[DOC-064] offers no approval once approved or finalized', () => {
    for (const status of ['approved', 'finalized'] as const) {
      const settled = documentWith(status, [party('u1', 'primary', true), party('u2', 'approved', true)]);
      expect(actionsFor(settled, 'u1')).toMatchObject({ approve: false, verify: false, payable: true });
    }
  });

  it('offers no approval of a rejected document, because the server would refuse it', () => {
    const parties = [party('u1', 'primary'), party('u2', 'rejected'), party('u3', 'approved', true)];
    const rejected = documentWith('rejected', parties);
    expect(actionsFor(rejected, 'u1')).toMatchObject({ approve: false, verify: false, manage: true });
    expect(actionsFor(rejected, 'u3')).toMatchObject({ verifyAgain: false, withdraw: true });
  });

  it('[FINAL-004] [DOC-061] finalizes once, only when approved, and then offers Make Payment', () => {
    const parties = [party('u1', 'primary', true)];
    const at = (status: Document['status'], finalization: Document['finalization'] = null) =>
      actionsFor(documentWith(status, parties, finalization), 'u1');
    expect(at('pending_approval').finalize).toBe('not-yet');
    expect(at('approved').finalize).toBe('ready');
    expect(at('approved', { state: 'running', detail: null }).finalize).toBe('running');
    expect(at('approved', { state: 'failed', detail: 'x' }).finalize).toBe('ready');
    expect(at('finalized')).toMatchObject({ finalize: 'done', makePayment: true });
    expect(at('approved').makePayment).toBe(false);
  });
});

describe('the turn to read and answer', () => {
  const admitted = documentWith('pending', [party('u1', 'primary', true), party('u2', 'admitted')]);

  it('belongs to every involved user who has not approved', () => {
    expect(['u1', 'u2', 'u3'].map((each) => turnOf(waiting, each))).toEqual(['primary', 'invited', null]);
    expect(['u1', 'u2'].map((each) => turnOf(admitted, each))).toEqual([null, 'admitted']);
  });

  it('does not belong to a creator alone on the document, nor to anyone once it is settled or rejected', () => {
    const alone = documentWith('pending', [party('u1', 'primary'), party('u3', 'requested')]);
    expect(turnOf(alone, 'u1')).toBeNull();
    for (const status of ['draft', 'approved', 'finalized', 'rejected'] as const)
      expect(turnOf({ ...admitted, status }, 'u2')).toBeNull();
  });

  it('[DOC-053] [DOC-057] an admitted person approves personally, verifies again, rejects or withdraws, and manages nothing', () => {
    expect(actionsFor(admitted, 'u2')).toMatchObject({
      manage: false,
      approve: false,
      verify: true,
      verifyAgain: false,
      reject: true,
      withdraw: true,
    });
  });

  it('a party who has approved verifies again or withdraws until finalization; the creator cannot withdraw', () => {
    const parties = [party('u1', 'primary', true), party('u2', 'approved', true)];
    const approved = documentWith('approved', parties);
    expect(actionsFor(approved, 'u2')).toMatchObject({ verifyAgain: true, withdraw: true, reject: false });
    expect(actionsFor(approved, 'u1')).toMatchObject({ verifyAgain: true, withdraw: false });
    const over = [
      documentWith('finalized', parties),
      documentWith('approved', parties, { state: 'running', detail: null }),
    ];
    for (const each of over)
      expect(actionsFor(each, 'u2')).toMatchObject({ verifyAgain: false, withdraw: false });
  });
});

describe('the note above the pages', () => {
  const noteFor = (me: Party) =>
    detailTexts.say(deskNote(documentWith('pending', [party('u1', 'primary'), me]), me.user_id, turn(me)));
  const turn = ({ state }: Party) => (state === 'invited' || state === 'admitted' ? state : 'primary');

  it('names who invited or admitted a party', () => {
    expect(noteFor(party('u2', 'invited'))).toMatch(/^Name u1 has invited you\./);
    expect(noteFor(party('u2', 'admitted'))).toMatch(/^Name u1 has approved your request\./);
    expect(noteFor(party('u4', 'primary'))).toMatch(/^Check every page/);
  });

  it('explains why a party approves again, whoever invited or admitted that party before', () => {
    for (const state of ['admitted', 'primary'] as const)
      expect(noteFor({ ...party('u2', state), approve_again: 'parties_changed' })).toBe(
        'Your approval ended because the people in this agreement changed. Please read every page here and the details below, and approve again.',
      );
    expect(noteFor({ ...party('u2', 'admitted'), approve_again: 'verified_again' })).toMatch(
      /^You have verified yourself again\./,
    );
  });
});

describe('the parties', () => {
  it('[DOC-048] a requested joiner is not among the involved users', () => {
    expect(involvedParties(waiting).map((each) => each.user_id)).toEqual(['u1', 'u2']);
    expect(requestedParties(waiting).map((each) => each.user_id)).toEqual(['u3']);
  });

  it('names whom the document waits for', () => {
    expect(waitingText(waiting, 'u1')).toBe('Waiting for Name u2 to verify and approve.');
    expect(waitingText(waiting, 'u2')).toBe('Your turn: verify your identity and approve.');
    const admitted = documentWith('pending', [party('u1', 'primary'), party('u2', 'admitted')]);
    expect(waitingText(admitted, 'u1')).toBe('Waiting for Name u2 to read and approve.');
    expect(waitingText(admitted, 'u2')).toContain('read the document, then approve or reject it');
    const mixed = documentWith('pending', [
      party('u1', 'primary'),
      party('u2', 'admitted'),
      party('u3', 'invited'),
    ]);
    expect(waitingText(mixed, 'u1')).toBe('Waiting for Name u2, Name u3 to approve.');
    const last = documentWith('pending', [party('u1', 'primary'), party('u2', 'approved', true)]);
    expect(waitingText(last, 'u2')).toBe('Waiting for the creator to approve the document.');
    expect(waitingText(last, 'u1')).toBe('Your turn: approve the document.');
    expect(waitingText(documentWith('pending', [party('u1', 'primary')]), 'u1')).toContain('Nobody else');
    const refused = documentWith('rejected', [party('u1', 'primary'), party('u2', 'rejected')]);
    expect(waitingFor(refused, 'u1')?.tone).toBe('rejected');
    expect(waitingText(refused, 'u1')).toBe('Name u2 rejected this agreement.');
    expect(waitingText(refused, 'u2')).toBe('You rejected the agreement.');
    expect(waitingFor(documentWith('approved', [party('u1', 'primary', true)]), 'u1')).toBeNull();
  });
});

describe('isWhole', () => {
  it('[DOC-059] distinguishes the document of a party from the stub of others', () => {
    expect(isWhole(waiting)).toBe(true);
    expect(
      isWhole({ _id: 'd', document_id: 'd', name: 'x', status: 'pending', primary_user_name: 'y' }),
    ).toBe(false);
  });
});

describe('cancelling', () => {
  const parties = [party('u1', 'primary'), party('u2', 'invited')];

  it('is offered from sending until sealing, only to the creator', () => {
    for (const status of ['pending', 'pending_approval', 'approved', 'rejected'] as const) {
      expect(actionsFor(documentWith(status, parties), 'u1').cancel).toBe(true);
      expect(actionsFor(documentWith(status, parties), 'u2').cancel).toBe(false);
    }
    expect(actionsFor(documentWith('finalized', parties), 'u1').cancel).toBe(false);
    const sealing = documentWith('approved', parties, { state: 'running', detail: null });
    expect(actionsFor(sealing, 'u1').cancel).toBe(false);
  });

  it('leaves no action to change the document, and says who cancelled it and when', () => {
    const cancelled = { at: '2026-11-28T10:00:00.000Z', by_name: 'Asha Rao', reason: 'Another flat' };
    const document = { ...documentWith('rejected', parties), cancelled };
    for (const user of ['u1', 'u2']) {
      expect(actionsFor(document, user)).toMatchObject({
        ...{ manage: false, verify: false, approve: false, verifyAgain: false, reject: false },
        ...{ withdraw: false, cancel: false, payable: false, makePayment: false },
      });
      expect(waitingText(document, user)).toBe('Cancelled by Asha Rao on 28 Nov 2026.');
    }
  });
});
