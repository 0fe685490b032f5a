import { sql, type Kysely } from 'kysely';

/** Opening a payment counts the payer's failed ones itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- The outcomes of before, and 'too_many_unfunded' where the person had p_most payments without money in the last hour.
CREATE FUNCTION open_payment(
  p_id uuid, p_document uuid, p_version integer, p_name text, p_user uuid, p_start boolean, p_most integer
) RETURNS TABLE (outcome text, payment payments) LANGUAGE plpgsql AS $$
DECLARE
  v_amount bigint;
  v_payment payments;
BEGIN
  IF p_most IS NOT NULL AND (SELECT count(*) FROM (
        SELECT FROM payments p
        WHERE p.user_id = p_user AND p.status = 'failed' AND p.started_at > now() - interval '1 hour'
        ORDER BY p.id DESC LIMIT p_most) failed) >= p_most THEN
    RETURN QUERY SELECT 'too_many_unfunded', NULL::payments;
    RETURN;
  END IF;
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
`,
    )
    .execute(db);
}
