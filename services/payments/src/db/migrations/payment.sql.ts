/**
 * The two steps of a payment as SQL functions, one round trip and one transaction each; the wallet's debit is
 * between them.
 * Both hold the charge's lock, so that what they read cannot change, and the second of two shares completed
 * at the same time sees the first. A single statement would see the rows of its start, before it had the
 * lock.
 */
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { insertEventSql } from '@karaar/bus';

const completed = insertEventSql(paymentsEvents.paymentCompleted, {
  id: 'p_event',
  aggregateId: 'p_id::text',
  aggregateVersion: 'v_payment.version',
  traceparent: 'p_traceparent',
  data: {
    payment_id: 'v_payment.id',
    document_id: 'v_payment.document_id',
    user_id: 'v_payment.user_id',
    amount_paise: 'v_payment.amount_paise',
    document_paid: 'v_paid',
    charge_number: 'v_number',
  },
});

/** The columns of a payment that the functions return. */
const STATE = {
  id: 'uuid',
  document_id: 'uuid',
  document_name: 'text',
  user_id: 'uuid',
  amount_paise: 'bigint',
  status: 'text',
  started_at: 'timestamptz',
  transfer_id: 'uuid',
  version: 'integer',
  created_at: 'timestamptz',
  completed_at: 'timestamptz',
};
const state = Object.keys(STATE)
  .map((column) => `p.${column}`)
  .join(', ');

export const PAYMENT_SQL = `
-- A type of its own: a plan made for a table's row type fails, on its connection and for good, once a column is dropped.
CREATE TYPE payment_state AS (${Object.entries(STATE)
  .map((column) => column.join(' '))
  .join(', ')});

-- Locks one document's charge; the service takes the same lock when it sets up a distribution.
CREATE FUNCTION lock_charge(p_document uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(p_document::text, 0));
$$;

-- Returns the live payment of a share, and creates it if needed. With p_start it is in progress from now on, which is
-- the intent: the sweeper finishes it even if its process dies. Without a payment the outcome is the reason:
-- 'stale' (a party has left this version of the document, which must be read again), 'not_set_up' (no
-- distribution), 'no_share', 'nothing_to_pay' (a zero share), 'too_many_unfunded' (p_most payments of the user failed
-- for lack of money in the last hour).
CREATE FUNCTION open_payment(
  p_id uuid, p_document uuid, p_version integer, p_name text, p_user uuid, p_start boolean, p_most integer
) RETURNS TABLE (outcome text, payment payment_state) LANGUAGE plpgsql AS $$
DECLARE
  v_amount bigint;
  v_payment payment_state;
BEGIN
  IF p_most IS NOT NULL AND (SELECT count(*) FROM (
        SELECT FROM payments p
        WHERE p.user_id = p_user AND p.status = 'failed' AND p.started_at > now() - interval '1 hour'
        ORDER BY p.id DESC LIMIT p_most) failed) >= p_most THEN
    RETURN QUERY SELECT 'too_many_unfunded', NULL::payment_state;
    RETURN;
  END IF;
  PERFORM lock_charge(p_document);
  IF EXISTS (SELECT FROM charge_stops c WHERE c.document_id = p_document AND c.version >= p_version) THEN
    RETURN QUERY SELECT 'stale', NULL::payment_state;
    RETURN;
  END IF;
  SELECT s.amount_paise INTO v_amount FROM shares s WHERE s.document_id = p_document AND s.user_id = p_user;
  IF v_amount IS NULL THEN
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT FROM distributions d WHERE d.document_id = p_document)
      THEN 'no_share' ELSE 'not_set_up' END, NULL::payment_state;
    RETURN;
  END IF;
  IF v_amount = 0 THEN
    RETURN QUERY SELECT 'nothing_to_pay', NULL::payment_state;
    RETURN;
  END IF;
  SELECT ${state} INTO v_payment FROM payments p
    WHERE p.document_id = p_document AND p.user_id = p_user AND p.status IN ('pending', 'completed');
  IF v_payment.id IS NULL THEN
    INSERT INTO payments AS p (id, document_id, document_name, user_id, amount_paise, status, started_at)
      VALUES (p_id, p_document, p_name, p_user, v_amount, 'pending', CASE WHEN p_start THEN now() END)
      RETURNING ${state} INTO v_payment;
  ELSIF p_start AND v_payment.status = 'pending' THEN
    UPDATE payments p SET started_at = now() WHERE p.id = v_payment.id RETURNING ${state} INTO v_payment;
  END IF;
  RETURN QUERY SELECT 'open', v_payment;
END $$;

-- Returns true if all shares of a document are paid, and the number of completions and reversals so far: of two
-- events the one with the larger number is newer. Needs the charge's lock.
CREATE FUNCTION charge_progress(p_document uuid, OUT number integer, OUT paid boolean) LANGUAGE sql AS $$
  SELECT
    (SELECT count(*) FILTER (WHERE p.status IN ('completed', 'reversed')) + count(*) FILTER (WHERE p.status = 'reversed')
     FROM payments p WHERE p.document_id = p_document)::int,
    -- A zero share counts as paid; without a distribution, none is.
    EXISTS (SELECT FROM distributions d WHERE d.document_id = p_document) AND NOT EXISTS (
      SELECT FROM shares s WHERE s.document_id = p_document AND s.amount_paise > 0 AND NOT EXISTS (
        SELECT FROM payments o
        WHERE o.document_id = p_document AND o.user_id = s.user_id AND o.status = 'completed'));
$$;

-- Records a debit once, with the event for the outbox; repeating it changes nothing and returns the same payment. A late
-- answer to a debit does not change a payment that was reversed since.
CREATE FUNCTION complete_payment(p_id uuid, p_document uuid, p_transfer uuid, p_event uuid, p_traceparent text)
RETURNS SETOF payment_state LANGUAGE plpgsql AS $$
DECLARE
  v_payment payment_state;
  v_number integer;
  v_paid boolean;
BEGIN
  PERFORM lock_charge(p_document);
  UPDATE payments p SET status = 'completed', transfer_id = p_transfer, completed_at = now(), version = p.version + 1
    WHERE p.id = p_id AND p.status NOT IN ('completed', 'reversed')
    RETURNING ${state} INTO v_payment;
  IF v_payment.id IS NULL THEN
    RETURN QUERY SELECT ${state} FROM payments p WHERE p.id = p_id;
    RETURN;
  END IF;
  SELECT c.number, c.paid INTO v_number, v_paid FROM charge_progress(p_document) c;
  ${completed};
  RETURN NEXT v_payment;
END $$;
`;
