import type { DocumentStatus } from '@karaar/contracts/documents/http';
import { inOrder, workOn, type WorkDocument, type WorkParty } from './work.ts';

const party = (user_id: string, state: WorkParty['state'], approved = false): WorkParty => ({
  user_id,
  name: user_id,
  state,
  approved,
  answer_by: null,
});
const document = (
  status: DocumentStatus,
  parties: WorkParty[],
  more: Partial<WorkDocument> = {},
): WorkDocument => ({
  id: 'd',
  name: 'Rent',
  status,
  finalizing: false,
  cancelled: false,
  paid: false,
  creator_paid: false,
  open_invitations: 0,
  parties,
  ...more,
});
/** Each list as strings `kind people`. */
const worklists = (of: WorkDocument, viewer: string) => {
  const { mine, others } = workOn(of, viewer);
  const words = (list: typeof mine) =>
    list.map(({ kind, people }) => [kind, ...people.map(({ user_id }) => user_id)].join(' '));
  return { mine: words(mine), others: words(others) };
};
const asha = party('asha', 'primary');

describe('the work about a document', () => {
  it('asks invited and admitted users for their answer, and shows the creator whose answer is missing', () => {
    const open = document('pending', [asha, party('vikram', 'invited'), party('meera', 'admitted')]);
    expect(worklists(open, 'vikram')).toEqual({ mine: ['accept asha'], others: [] });
    expect(worklists(open, 'meera')).toEqual({ mine: ['read asha'], others: [] });
    expect(worklists(open, 'asha')).toEqual({
      mine: ['approve'],
      others: ['answer vikram', 'reading meera'],
    });
  });

  it('asks the creator to admit each person who wants to join, and shows that person the creator only', () => {
    const asked = document('pending', [asha, party('ravi', 'requested'), party('meera', 'requested')]);
    expect(worklists(asked, 'asha')).toEqual({ mine: ['admit ravi', 'admit meera'], others: [] });
    expect(worklists(asked, 'ravi')).toEqual({ mine: [], others: ['admission asha'] });
    expect(worklists(document('finalized', asked.parties), 'ravi')).toEqual({ mine: [], others: [] });
  });

  it('waits, after the user’s own approval, for those who have not approved yet', () => {
    const done = party('vikram', 'approved', true);
    expect(worklists(document('pending', [asha, done]), 'vikram').others).toEqual(['approval asha']);
    const agreed = [party('asha', 'primary', true), done, party('ravi', 'invited')];
    expect(worklists(document('pending_approval', agreed), 'vikram').others).toEqual(['approval ravi']);
    expect(worklists(document('pending_approval', agreed), 'asha')).toEqual({
      mine: [],
      others: ['answer ravi'],
    });
  });

  it('asks the creator to invite a person, settle a rejection, seal and pay', () => {
    expect(worklists(document('pending', [asha]), 'asha').mine).toEqual(['invite']);
    expect(worklists(document('draft', [asha]), 'asha').mine).toEqual(['draft']);
    const refused = document('rejected', [asha, party('vikram', 'rejected'), party('ravi', 'invited')]);
    expect(worklists(refused, 'asha').mine).toEqual(['rejected vikram']);
    expect(worklists(refused, 'vikram')).toEqual({ mine: [], others: [] });
    expect(worklists(refused, 'ravi').others).toEqual(['decision asha']);
    const cancelled = { ...refused, cancelled: true };
    for (const viewer of ['asha', 'ravi'])
      expect(worklists(cancelled, viewer)).toEqual({ mine: [], others: [] });
    const both = [party('asha', 'primary', true), party('vikram', 'approved', true)];
    expect(worklists(document('approved', both), 'asha').mine).toEqual(['seal']);
    expect(worklists(document('approved', both), 'vikram').others).toEqual(['sealing asha']);
    expect(worklists(document('approved', both, { finalizing: true }), 'asha').mine).toEqual([]);
    expect(worklists(document('finalized', both), 'asha').mine).toEqual(['pay']);
    expect(worklists(document('finalized', both), 'vikram').mine).toEqual([]);
    for (const over of [{ paid: true }, { creator_paid: true }])
      expect(worklists(document('finalized', both, over), 'asha').mine).toEqual([]);
  });

  it('is empty for a user outside the document', () => {
    expect(worklists(document('pending', [asha]), 'nobody')).toEqual({ mine: [], others: [] });
  });
});

describe('the order of the viewer’s work', () => {
  const invited = (id: string, answer_by: string | null) =>
    document('pending', [asha, { ...party('vikram', 'invited'), answer_by }], { id });
  const order = (...documents: WorkDocument[]) =>
    inOrder(documents.flatMap((each) => workOn(each, 'vikram').mine)).map((work) => work.document.id);

  it('starts with the earliest answer-by date, and keeps the order of the rest', () => {
    expect(
      order(
        invited('new', null),
        invited('late', '2026-12-24'),
        invited('soon', '2026-12-12'),
        invited('old', null),
      ),
    ).toEqual(['soon', 'late', 'new', 'old']);
  });

  it('ends with unfinished drafts', () => {
    const own = document('draft', [party('vikram', 'primary')], { id: 'draft' });
    expect(order(own, invited('new', null), invited('soon', '2026-12-12'))).toEqual(['soon', 'new', 'draft']);
  });
});
