/**
 * Checks export and erasure against every table of this service: each table and column is covered or has a
 * stated reason.
 */
import { exportRpc } from '@karaar/contracts/personal-data';
import { ID_ALONE, AUTH_EXPORTS, forgottenOfUser, type Reasons } from '@karaar/testing/made-up/personal-data';
import { startApi, type Api } from './api.ts';

/** Tables about a person that the export omits, and why. */
const NOT_EXPORTED: Reasons = {
  [AUTH_EXPORTS]: ['directory'],
  'the record of an agreement belongs to all its parties, who read it there and in its receipt': [
    'document_events',
  ],
  'the agreement itself shows them to the person': ['live_captures', 'text_messages'],
  "internal state without the person's own texts": [
    'finalization_jobs',
    'idempotency_keys',
    'invitation_floods',
    'invitation_links',
    'invitations',
    'join_misses',
    'my_documents',
    'signing_ceremonies',
    'signing_statements',
    'step_up_statements',
  ],
  "another person's choice, hidden from the sender": ['contact_stops'],
  'a setting that the app shows to the person': ['text_message_settings'],
  'early uploads: after a day they are part of a document or erased': ['uploads'],
  'the export lists open ones with their document, and the contacts of ended ones are erased': [
    'open_invitations',
  ],
  "an admin's act": ['pricing', 'pricing_editing'],
};

/** Columns that an erasure keeps, and why. */
const STAYS: Reasons = {
  [ID_ALONE]: [
    'court_packs.user_id',
    'directory.user_id',
    'document_events.actor_id',
    'document_events.subject_id',
    'documents.primary_user',
    'finalization_jobs.requested_by',
    'invitation_links.invitation_id',
    'text_messages.sender_id',
    'open_invitations.accepted_by',
    'open_invitations.message_id',
    'open_invitations.user_id',
    'parties.user_id',
    'party_names.user_id',
    'pricing.author_id',
    'pricing_editing.author_id',
  ],
  "another person's reason for that person's own act": ['document_events.reason by subject_id'],
  'an agreement shows the people who agreed': ['directory.name', 'party_names.name'],
  'the record of an agreement: its hash chain proves each act and its origin': [
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
  "the agreement itself, which belongs to its parties (a draft's text is erased)": [
    'documents.description',
    'documents.document_code',
    'documents.end_date',
    'documents.final_pages',
    'documents.final_path',
    'documents.final_sha256',
    'documents.location',
    'documents.name',
    'documents.page_details',
    'documents.reminders',
    'documents.start_date',
    'documents.status',
  ],
  'the state of sealing an agreement': [
    'finalization_jobs.detail',
    'finalization_jobs.fault_code',
    'finalization_jobs.fault_file',
    'finalization_jobs.progress',
    'finalization_jobs.state',
  ],
  'words of the operator about the law': ['finalization_jobs.law'],
  'a text message belongs to its receiver': [
    'text_messages.delivery by sender_id',
    'text_messages.kind by sender_id',
    'text_messages.language by sender_id',
    'text_messages.once by sender_id',
    'text_messages.reason by sender_id',
    'text_messages.state by sender_id',
  ],
  'the course of an invitation, without its contact': [
    'open_invitations.answer_by by accepted_by',
    'open_invitations.answer_by by message_id',
    'open_invitations.cause by accepted_by',
    'open_invitations.cause by message_id',
    'open_invitations.cause by user_id',
    'open_invitations.channel by accepted_by',
    'open_invitations.channel by message_id',
    'open_invitations.channel by user_id',
    'open_invitations.language by accepted_by',
    'open_invitations.language by message_id',
    'open_invitations.language by user_id',
    'open_invitations.sending by accepted_by',
    'open_invitations.sending by message_id',
    'open_invitations.sending by user_id',
    'open_invitations.state by accepted_by',
    'open_invitations.state by message_id',
    'open_invitations.state by user_id',
  ],
  'a constraint allows a contact in open invitations only': [
    'open_invitations.contact by accepted_by',
    'open_invitations.contact by message_id',
    'open_invitations.handed_on by accepted_by',
    'open_invitations.handed_on by message_id',
  ],
  'the hash of a random token, which ends with its invitation': ['invitation_links.token_hash'],
  "the person's part in an agreement": [
    'parties.approved_files_sha256',
    'parties.notice_language',
    'parties.state',
  ],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('documents-personal');
}, 120_000);
afterAll(() => api.stop());

it('exports and erases all data about a person, except for the listed reasons', async () => {
  const { forgotten, known } = await forgottenOfUser(api.world, {
    things: ['id', 'document_id', 'target_char_id', 'approval_id', 'key_id', 'credential_id', 'kid'],
    ask: (user_id) => api.world.ask(exportRpc.documents, { user_id, cursor: null }, 'auth'),
    notExported: NOT_EXPORTED,
    stays: STAYS,
  });
  expect(forgotten).toEqual(known);
});
