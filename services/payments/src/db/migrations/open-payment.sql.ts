/**
 * Opening a payment as `payment.sql.ts` has it, on the word of one version of the document: behind the charge's lock it
 * is known whether that version is too old by now.
 */
export const OPEN_PAYMENT_SQL = `
-- The same outcomes, and 'stale': the document has to be asked for again.
CREATE FUNCTION open_payment(
  p_id uuid, p_document uuid, p_version integer, p_name text, p_user uuid, p_start boolean
) RETURNS TABLE (outcome text, payment payments) LANGUAGE plpgsql AS $$
DECLARE
  v_amount bigint;
  v_payment payments;
BEGIN
  PERFORM lock_charge(p_document);
  IF EXISTS (SELECT FROM charge_stops c WHERE c.document_id = p_document AND c.version >= p_version) THEN
    RETURN QUERY SELECT 'stale', NULL::payments;
    RETURN;
  END IF;
  SELECT s.amount_paise INTO v_amount FROM shares s WHERE s.document_id = p_document AND s.user_id = p_user;
  IF v_amount IS NULL THEN
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT FROM distributions d WHERE d.document_id = p_document)
      THEN 'no_share' ELSE 'not_set_up' END, NULL::payments;
    RETURN;
  END IF;
  IF v_amount = 0 THEN
    RETURN QUERY SELECT 'nothing_to_pay', NULL::payments;
    RETURN;
  END IF;
  SELECT * INTO v_payment FROM payments p
    WHERE p.document_id = p_document AND p.user_id = p_user AND p.status IN ('pending', 'completed');
  IF v_payment.id IS NULL THEN
    INSERT INTO payments (id, document_id, document_name, user_id, amount_paise, status, started_at)
      VALUES (p_id, p_document, p_name, p_user, v_amount, 'pending', CASE WHEN p_start THEN now() END)
      RETURNING * INTO v_payment;
  ELSIF p_start AND v_payment.status = 'pending' THEN
    UPDATE payments p SET started_at = now() WHERE p.id = v_payment.id RETURNING * INTO v_payment;
  END IF;
  RETURN QUERY SELECT 'open', v_payment;
END $$;

-- For processes of the version before, which know no versions of documents: nothing of one that was ever stopped.
CREATE OR REPLACE FUNCTION open_payment(p_id uuid, p_document uuid, p_name text, p_user uuid, p_start boolean)
RETURNS TABLE (outcome text, payment payments) LANGUAGE sql AS $$
  SELECT CASE o.outcome WHEN 'stale' THEN 'not_set_up' ELSE o.outcome END, o.payment
  FROM open_payment(p_id, p_document, 0, p_name, p_user, p_start) o;
$$;
`;
