/**
 * Checks export and erasure against every table of this service: each column about a user is covered or has a
 * reason.
 */
import { exportRpc } from '@karaar/contracts/personal-data';
import { BOOKS, ID_ALONE, forgottenOfUser, type Reasons } from '@karaar/testing/made-up/personal-data';
import { startApi, type Api } from './api.ts';

/** Tables about a user that the export leaves out, with the reason. */
const NOT_EXPORTED: Reasons = {
  'told as movements with their amounts, which transfers name': [
    'accounts',
    'disputes',
    'entries',
    'refunds',
    'top_up_orders',
  ],
  'a sum of movements that are told': ['ledger_account_sums'],
  'nothing moved': ['refusals'],
  'in no wallet: once credited, it is told as a movement': ['payment_exceptions'],
};

/** Columns that an erasure leaves, with the reason. */
const STAYS: Reasons = {
  [ID_ALONE]: [
    'accounts.id',
    'disputes.user_id',
    'entries.account_id',
    'ledger_account_sums.account_id',
    'payment_exceptions.credit_user_id',
    'payment_exceptions.user_id',
    'refunds.admin_id',
    'refunds.user_id',
    'refusals.user_account',
    'top_up_orders.user_id',
    'transfers.from_account',
    'transfers.to_account',
  ],
  [BOOKS]: [
    'accounts.kind',
    'disputes.id',
    'disputes.status',
    'payment_exceptions.cause by credit_user_id',
    'payment_exceptions.cause by user_id',
    'payment_exceptions.confirmed_by by credit_user_id',
    'payment_exceptions.confirmed_by by user_id',
    'payment_exceptions.kind by credit_user_id',
    'payment_exceptions.kind by user_id',
    'payment_exceptions.proposed_by by credit_user_id',
    'payment_exceptions.proposed_by by user_id',
    'payment_exceptions.reason by credit_user_id',
    'payment_exceptions.reason by user_id',
    'payment_exceptions.refund_state by credit_user_id',
    'payment_exceptions.refund_state by user_id',
    'payment_exceptions.resolution by credit_user_id',
    'payment_exceptions.resolution by user_id',
    'payment_exceptions.state by credit_user_id',
    'payment_exceptions.state by user_id',
    'payment_exceptions.subject by credit_user_id',
    'payment_exceptions.subject by user_id',
    'refunds.idempotency_key by admin_id',
    'refunds.idempotency_key by user_id',
    'refunds.made_by by admin_id',
    'refunds.made_by by user_id',
    'refunds.reason by admin_id',
    'refunds.reason by user_id',
    'refunds.status by admin_id',
    'refunds.status by user_id',
    'refusals.idempotency_key',
    'top_up_orders.currency',
    'top_up_orders.id',
    'top_up_orders.status',
    'transfers.description by from_account',
    'transfers.description by to_account',
    'transfers.idempotency_key by from_account',
    'transfers.idempotency_key by to_account',
    'transfers.reference by from_account',
    'transfers.reference by to_account',
  ],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('wallet-personal');
}, 120_000);
afterAll(() => api.stop());

it('exports and erases all data about a user, except where there is a reason', async () => {
  const { forgotten, known } = await forgottenOfUser(api.world, {
    things: [
      'id',
      'order_id',
      'payment_id',
      'transfer_id',
      'event_id',
      'provider_refund_id',
      'lower_id',
      'upper_id',
    ],
    people: ['accounts.id'],
    ask: (user_id) => api.world.ask(exportRpc.wallet, { user_id, cursor: null }, 'auth'),
    notExported: NOT_EXPORTED,
    stays: STAYS,
    // The law requires a ledger's entries. They contain only an id, so the service does not consume the
    // deletion event.
    hears: false,
  });
  expect(forgotten).toEqual(known);
});
