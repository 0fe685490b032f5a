/**
 * How far a charge is, told with a number, and a payment's completion that leaves a reversed payment as it is: kept as a
 * text, as the steps before are (`payment.sql.ts`).
 */
export const REVERSALS_SQL = `
-- Whether all shares of a document are paid, and a number that grows by one with every payment that is completed or
-- reversed: of two facts the one with the larger number has the newer word. Needs the charge's lock.
CREATE FUNCTION charge_progress(p_document uuid, OUT number integer, OUT paid boolean) LANGUAGE sql AS $$
  SELECT
    (SELECT count(*) FILTER (WHERE p.status IN ('completed', 'reversed')) + count(*) FILTER (WHERE p.status = 'reversed')
     FROM payments p WHERE p.document_id = p_document)::int,
    -- A share of nothing counts as paid; without a distribution nothing is.
    EXISTS (SELECT FROM distributions d WHERE d.document_id = p_document) AND NOT EXISTS (
      SELECT FROM shares s WHERE s.document_id = p_document AND s.amount_paise > 0 AND NOT EXISTS (
        SELECT FROM payments o
        WHERE o.document_id = p_document AND o.user_id = s.user_id AND o.status = 'completed'));
$$;

-- A debit's late answer changes nothing of a payment that was completed, or reversed since.
CREATE OR REPLACE FUNCTION complete_payment(p_id uuid, p_document uuid, p_transfer uuid, p_event uuid, p_traceparent text)
RETURNS SETOF payments LANGUAGE plpgsql AS $$
DECLARE
  v_payment payments;
  v_number integer;
  v_paid boolean;
BEGIN
  PERFORM lock_charge(p_document);
  UPDATE payments p SET status = 'completed', transfer_id = p_transfer, completed_at = now(), version = p.version + 1
    WHERE p.id = p_id AND p.status NOT IN ('completed', 'reversed') RETURNING * INTO v_payment;
  IF v_payment.id IS NULL THEN
    RETURN QUERY SELECT * FROM payments p WHERE p.id = p_id;
    RETURN;
  END IF;
  SELECT c.number, c.paid INTO v_number, v_paid FROM charge_progress(p_document) c;
  INSERT INTO outbox (id, subject, type, version, aggregate_id, aggregate_version, traceparent, data)
    VALUES (p_event, 'evt.payments.payment.completed.v1', 'payments.payment.completed', 1, p_id::text, v_payment.version,
      p_traceparent, json_build_object(
        'payment_id', v_payment.id, 'document_id', v_payment.document_id, 'user_id', v_payment.user_id,
        'amount_paise', v_payment.amount_paise, 'document_paid', v_paid, 'charge_number', v_number));
  RETURN NEXT v_payment;
END $$;
`;
