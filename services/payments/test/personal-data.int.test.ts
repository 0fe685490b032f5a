/**
 * Checks export and erasure against every table of this service: each column about a user is covered or has a
 * reason.
 */
import { exportRpc } from '@karaar/contracts/personal-data';
import {
  BOOKS,
  ID_ALONE,
  AUTH_EXPORTS,
  forgottenOfUser,
  type Reasons,
} from '@karaar/testing/made-up/personal-data';
import { startApi, type Api } from './api.ts';

/** Tables about a user that the export leaves out, with the reason. */
const NOT_EXPORTED: Reasons = {
  'the other side of what the wallet tells': ['card_movements'],
  [AUTH_EXPORTS]: ['directory'],
  'told with their payments, once they are done': ['reversals'],
  'percentages of payments, which are told with their amounts': ['distributions', 'shares'],
};

/** Columns that an erasure leaves, with the reason. */
const STAYS: Reasons = {
  [ID_ALONE]: [
    'card_movements.user_id',
    'directory.user_id',
    'distributions.created_by',
    'payments.user_id',
    'reversals.user_id',
    'shares.user_id',
  ],
  [BOOKS]: [
    'card_movements.reference',
    'card_movements.status',
    'card_movements.type',
    'distributions.document_name',
    'payments.document_name',
    'payments.status',
    'reversals.decline_reason',
    'reversals.reason',
    'reversals.state',
  ],
  'the admins who gave money back, as in the audit log': [
    'reversals.confirmed_by',
    'reversals.confirmed_by_name',
    'reversals.declined_by',
    'reversals.declined_by_name',
    'reversals.requested_by',
    'reversals.requested_by_name',
  ],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('payments-personal');
}, 120_000);
afterAll(() => api.stop());

it('exports and erases all data about a user, except where there is a reason', async () => {
  const { forgotten, known } = await forgottenOfUser(api.world, {
    things: ['id', 'document_id', 'order_id', 'payment_id', 'transfer_id'],
    ask: (user_id) => api.world.ask(exportRpc.payments, { user_id, cursor: null }, 'auth'),
    notExported: NOT_EXPORTED,
    stays: STAYS,
  });
  expect(forgotten).toEqual(known);
});
