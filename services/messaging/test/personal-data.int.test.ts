/**
 * Checks export and erasure against every table of this service: each column about a user is covered or has a
 * reason.
 */
import { exportRpc } from '@karaar/contracts/personal-data';
import { ID_ALONE, AUTH_EXPORTS, forgottenOfUser, type Reasons } from '@karaar/testing/made-up/personal-data';
import { startApi, type Api } from './api.ts';

/** Tables about a user that the export leaves out, with the reason. */
const NOT_EXPORTED: Reasons = {
  'ids of other people, which an export leaves out; the person sees the list in the app': [
    'approaches',
    'blocks',
    'conversations',
    'message_keys',
    'shared_documents',
    'threads',
  ],
  "the admins' work; the person has the acknowledgement of the report": ['reports'],
  'times of searches, for an hour': ['contact_searches'],
  [AUTH_EXPORTS]: ['directory'],
};

/** Columns that an erasure leaves, with the reason. */
const STAYS: Reasons = {
  [ID_ALONE]: [
    'conversations.user_a',
    'conversations.user_b',
    'directory.user_id',
    'message_keys.sender_id',
    'messages.receiver_id',
    'messages.sender_id',
    'reports.reported_id',
    'reports.reporter_id',
    'reports.resolved_by',
    'shared_documents.people',
    'threads.other_id',
    'threads.user_id',
  ],
  'what others wrote to the person belongs to them': [
    'messages.attachment by receiver_id',
    'messages.content by receiver_id',
  ],
  'what others reported about the person, and what an admin noted': [
    'reports.details by reported_id',
    'reports.details by resolved_by',
    'reports.note by reported_id',
    'reports.note by reporter_id',
    'reports.note by resolved_by',
  ],
  'one of a few words from a list': [
    'reports.reason by reported_id',
    'reports.reason by reporter_id',
    'reports.reason by resolved_by',
  ],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('messaging-personal');
}, 120_000);
afterAll(() => api.stop());

it('exports and erases all data about a user, except where there is a reason', async () => {
  const { forgotten, known } = await forgottenOfUser(api.world, {
    things: ['id', 'document_id', 'conversation_id', 'client_message_id'],
    ask: (user_id) => api.world.ask(exportRpc.messages, { user_id, cursor: null }, 'auth'),
    notExported: NOT_EXPORTED,
    stays: STAYS,
  });
  expect(forgotten).toEqual(known);
});
