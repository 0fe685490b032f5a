import { sql, type Kysely } from 'kysely';

/**
 * A code counts for its network as well, so that one customer's many addresses cannot use up the codes of all. The
 * network is locked first and the rest in the order of otp_open: calls of the release before cannot deadlock with these.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION otp_open_within(
      p_network text, p_network_max integer,
      p_id uuid, p_key text, p_phone text, p_ip text, p_digest text,
      p_ttl interval, p_resend interval, p_sends integer, p_sends_window interval, p_ip_max integer, p_total_max integer
    ) RETURNS bigint
    LANGUAGE plpgsql AS $$
    DECLARE
      v_wait bigint;
      v_hour CONSTANT interval := '1 hour';
    BEGIN
      PERFORM limit_lock('otp:network:' || p_network);
      v_wait := limit_wait('otp:network:' || p_network, p_network_max, v_hour);
      IF v_wait > 0 THEN RETURN v_wait; END IF;
      v_wait := otp_open(p_id, p_key, p_phone, p_ip, p_digest, p_ttl, p_resend, p_sends, p_sends_window, p_ip_max,
        p_total_max);
      IF v_wait = 0 THEN PERFORM limit_count('otp:network:' || p_network, v_hour); END IF;
      RETURN v_wait;
    END $$`.execute(db);
}
