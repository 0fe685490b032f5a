import { notificationsOf, type Change } from './notifying.ts';

const change = (about: Partial<Change>): Change => ({
  document_id: 'd',
  status: 'pending',
  primary_user: 'asha',
  involved_users: ['asha', 'vikram', 'meera'],
  ...about,
});
const notificationsFor = (about: Partial<Change>) =>
  notificationsOf(change(about)).map(({ userId, kind }) => `${userId}: ${kind}`);

it.each<[string, Partial<Change>, string[]]>([
  ['an invitation', { change: 'party.invited', actor_id: 'asha', subject_id: 'vikram' }, ['vikram: invited']],
  ['a reminder', { change: 'party.reminded', actor_id: 'asha', subject_id: 'vikram' }, ['vikram: reminded']],
  ['an admission', { change: 'party.joined', actor_id: 'asha', subject_id: 'meera' }, ['meera: admitted']],
  ['a request to join', { change: 'party.requested', actor_id: 'ravi' }, ['asha: join_requested']],
  ['a rejection', { change: 'party.rejected', actor_id: 'vikram', status: 'rejected' }, ['asha: rejected']],
  [
    'an invited person who says that someone else signs',
    { change: 'party.contact_handed_on', actor_id: null },
    ['asha: handed_on'],
  ],
  ['a withdrawal', { change: 'party.withdrawn', actor_id: 'vikram' }, ['asha: withdrawn']],
  [
    'a cancelled document, to all others, and to those who asked to join',
    {
      change: 'document.cancelled',
      actor_id: 'asha',
      status: 'rejected',
      affected_users: ['asha', 'vikram', 'meera', 'ravi'],
    },
    ['vikram: cancelled', 'meera: cancelled', 'ravi: cancelled'],
  ],
  [
    'a document cancelled after an answer-by date, to all',
    { change: 'document.lapsed', actor_id: null, status: 'rejected' },
    ['asha: lapsed', 'vikram: lapsed', 'meera: lapsed'],
  ],
  [
    'an approval while others are awaited',
    { change: 'party.accepted', actor_id: 'vikram', awaited_users: ['asha', 'meera'] },
    ['asha: accepted'],
  ],
  [
    'the approval after which only the creator is awaited',
    { change: 'party.accepted', actor_id: 'vikram', awaited_users: ['asha'] },
    ['asha: your_turn'],
  ],
  [
    "the creator's approval",
    { change: 'document.approved', actor_id: 'asha', status: 'pending_approval', awaited_users: ['meera'] },
    ['meera: your_turn'],
  ],
  [
    'the last approval, to all but its giver',
    { change: 'party.approved', actor_id: 'vikram', status: 'approved', awaited_users: [] },
    ['asha: all_approved', 'meera: all_approved'],
  ],
  [
    'the sealed file, to all',
    { change: 'document.finalized', actor_id: null, status: 'finalized' },
    ['asha: sealed', 'vikram: sealed', 'meera: sealed'],
  ],
  [
    'approvals that end as a party comes, to those who gave them',
    { change: 'party.invited', actor_id: 'asha', subject_id: 'ravi', ended_approvals: ['vikram', 'meera'] },
    ['ravi: invited', 'vikram: approval_ended', 'meera: approval_ended'],
  ],
  [
    'approvals that end by a withdrawal: the creator is told of the withdrawal',
    { change: 'party.withdrawn', actor_id: 'vikram', ended_approvals: ['asha', 'meera'] },
    ['asha: withdrawn', 'meera: approval_ended'],
  ],
  [
    'a new name, to the others',
    { change: 'party.renamed', actor_id: 'vikram' },
    ['asha: party_renamed', 'meera: party_renamed'],
  ],
  ['a removal', { change: 'party.removed', actor_id: 'asha', subject_id: 'vikram' }, []],
  ['an event from before actors were told', { change: 'party.invited' }, []],
])('%s', (_, about, expected) => {
  expect(notificationsFor(about)).toEqual(expected);
});
