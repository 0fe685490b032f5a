/**
 * Checks export and erasure against every table of this service: each column about a user is covered or has a
 * reason.
 */
import { exportRpc } from '@karaar/contracts/personal-data';
import { ID_ALONE, AUTH_EXPORTS, forgottenOfUser, type Reasons } from '@karaar/testing/made-up/personal-data';
import { startApi, type Api } from './api.ts';

/** Tables about a user that the export leaves out, with the reason. */
const NOT_EXPORTED: Reasons = {
  [AUTH_EXPORTS]: ['directory'],
  'a count of changes': ['list_versions'],
  'switches, told as the settings that they make': ['preferences', 'settings'],
};

/** Columns that an erasure leaves, with the reason. */
const STAYS: Reasons = {
  [ID_ALONE]: ['directory.user_id', 'notifications.actor_id', 'notifications.owner_id'],
  'a document that the one who was told of it is part of': [
    'notifications.document_name by actor_id',
    'notifications.document_name by owner_id',
  ],
  'by when the one who was told is asked to answer': [
    'notifications.answer_by by actor_id',
    'notifications.answer_by by owner_id',
  ],
  'what another party wrote to the one who was told': ['notifications.reason by owner_id'],
  'one of a few words from a list': ['notifications.kind by actor_id', 'notifications.kind by owner_id'],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('notifications-personal');
}, 120_000);
afterAll(() => api.stop());

it('exports and erases all data about a user, except where there is a reason', async () => {
  const { forgotten, known } = await forgottenOfUser(api.world, {
    things: ['id', 'document_id', 'event_id', 'notification_id', 'leader_id'],
    ask: (user_id) => api.world.ask(exportRpc.notifications, { user_id, cursor: null }, 'auth'),
    notExported: NOT_EXPORTED,
    stays: STAYS,
  });
  expect(forgotten).toEqual(known);
});
