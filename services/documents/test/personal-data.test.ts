/** Export and erasure against every table of this service: what is forgotten fails here, or has its reason. */
import { exportRpc } from '@karaar/contracts/personal-data';
import { ID_ALONE, TOLD_BY_AUTH, forgottenOfUser, type Reasons } from '@karaar/testing/personal-data';
import { startApi, type Api } from './api.ts';

/** Tables about a person of which the export says nothing, and why. */
const UNTOLD: Reasons = {
  [TOLD_BY_AUTH]: ['directory'],
  'the record of an agreement belongs to all its parties, who read it there and in its receipt': [
    'document_events',
  ],
  'the agreement itself shows them to the person': ['live_captures', 'notices'],
  'how the service works, without words of the person': [
    'finalization_jobs',
    'idempotency_keys',
    'invitation_floods',
    'invitations',
    'join_misses',
    'my_documents',
  ],
  'a switch that the person sees in the app': ['notice_settings'],
  'files on their way into a document, for a day at most: then they are part of it, or gone': ['uploads'],
  "an admin's act": ['pricing', 'pricing_editing'],
};

/** Columns that an erasure leaves, and why. */
const STAYS: Reasons = {
  [ID_ALONE]: [
    'directory.user_id',
    'document_events.actor_id',
    'document_events.subject_id',
    'documents.primary_user',
    'finalization_jobs.requested_by',
    'notices.sender_id',
    'parties.user_id',
    'pricing.author_id',
    'pricing_editing.author_id',
  ],
  'what another person gave as the reason of an own act': ['document_events.reason by subject_id'],
  'an agreement keeps who agreed to what': ['directory.name'],
  'the record of an agreement: its chain of hashes proves who did what, from where': [
    'document_events.detail by actor_id',
    'document_events.detail by subject_id',
    'document_events.files_sha256 by actor_id',
    'document_events.files_sha256 by subject_id',
    'document_events.status_from by actor_id',
    'document_events.status_from by subject_id',
    'document_events.status_to by actor_id',
    'document_events.status_to by subject_id',
    'document_events.type by actor_id',
    'document_events.type by subject_id',
    'document_events.from_address by actor_id',
    'document_events.from_address by subject_id',
    'document_events.from_device by actor_id',
    'document_events.from_device by subject_id',
    'document_events.photos by actor_id',
    'document_events.photos by subject_id',
  ],
  "the agreement itself, which is its parties' (a draft goes)": [
    'documents.description',
    'documents.document_code',
    'documents.end_date',
    'documents.final_pages',
    'documents.final_path',
    'documents.final_sha256',
    'documents.location',
    'documents.name',
    'documents.page_details',
    'documents.start_date',
    'documents.status',
  ],
  'the work of sealing an agreement': [
    'finalization_jobs.detail',
    'finalization_jobs.fault_code',
    'finalization_jobs.fault_file',
    'finalization_jobs.progress',
    'finalization_jobs.state',
  ],
  "a notice is its receiver's": [
    'notices.kind by sender_id',
    'notices.language by sender_id',
    'notices.once by sender_id',
    'notices.reason by sender_id',
    'notices.state by sender_id',
  ],
  'a part in an agreement': ['parties.approved_files_sha256', 'parties.notice_language', 'parties.state'],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('documents-personal');
}, 120_000);
afterAll(() => api.stop());

it('tells and erases all that is about a person, except for what has a reason', async () => {
  const { forgotten, known } = await forgottenOfUser(api.world, {
    things: ['id', 'document_id', 'target_char_id'],
    ask: (user_id) => api.world.ask(exportRpc.documents, { user_id, cursor: null }, 'auth'),
    untold: UNTOLD,
    stays: STAYS,
  });
  expect(forgotten).toEqual(known);
});
