import { sql, type Kysely } from 'kysely';

/**
 * A challenge of its own for each send: who asked, with tries of their own, and the code if this send was texted. Texts are
 * counted apart from the asking, and browsers that have signed in before have room of their own.
 *
 * `otp_open` stays for the release before; its sends have no `key` and count as texts that strangers asked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE otp_sends
      ADD COLUMN key text,
      ADD COLUMN asker text,
      ADD COLUMN room text,
      ADD COLUMN digest text,
      ADD COLUMN tries smallint NOT NULL DEFAULT 0,
      ADD COLUMN texted boolean NOT NULL DEFAULT true`.execute(db);
  await sql`
    CREATE TABLE known_browsers (
      key text PRIMARY KEY,
      user_id uuid NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX known_browsers_by_user ON known_browsers (user_id)`.execute(db);
  await sql.raw(FUNCTIONS).execute(db);
}

const FUNCTIONS = `
-- Milliseconds until another send may follow those of these times, the latest first.
CREATE FUNCTION otp_rest(
  p_at timestamptz[], p_now timestamptz, p_resend interval, p_sends integer, p_window interval
) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(0, ceil(extract(epoch FROM greatest(p_at[1] + p_resend, p_at[p_sends] + p_window) - p_now) * 1000));
$$;

-- The same for the texts of one room of a phone: the more there were, the rarer they get.
CREATE FUNCTION otp_text_rest(
  p_at timestamptz[], p_now timestamptz, p_resend interval, p_sends integer, p_window interval
) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT otp_rest(p_at, p_now,
    CASE
      WHEN p_at[20] > p_now - interval '1 day' THEN interval '30 minutes'
      WHEN p_at[6] > p_now - interval '1 hour' THEN interval '10 minutes'
      ELSE p_resend
    END, p_sends, p_window);
$$;

-- Stores a challenge and answers wait 0 and whether a text is to be sent, or answers the milliseconds to wait and their
-- cause: who asked, the phone, the network, or all. A refused send counts nowhere. A challenge without a text of its own
-- takes the codes that were texted to the phone for the same purpose.
CREATE FUNCTION otp_ask(
  p_id uuid, p_key text, p_phone text, p_room text, p_browser text, p_asker text, p_network text, p_customer text,
  p_digest text,
  p_ttl interval, p_left interval, p_resend interval, p_sends integer, p_window interval,
  p_live integer, p_network_max integer, p_customer_max integer, p_total_max integer,
  OUT wait bigint, OUT cause text, OUT texted boolean
)
LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
  v_room text := p_room;
  v_times timestamptz[];
  v_wait bigint;
  v_hour CONSTANT interval := '1 hour';
BEGIN
  texted := false;
  cause := 'asker';
  IF v_room IS NULL AND EXISTS (SELECT FROM known_browsers AS known WHERE known.key = p_browser) THEN
    v_room := p_browser;
  END IF;
  PERFORM limit_lock('otp:phone:' || p_phone);
  IF v_room IS NULL THEN
    PERFORM limit_lock('otp:ip:' || p_network);
    PERFORM limit_lock('otp:network:' || p_customer);
    PERFORM limit_lock('otp:total');
  END IF;
  v_now := clock_timestamp();
  SELECT array_agg(sent.at ORDER BY sent.at DESC) INTO v_times
    FROM otp_sends AS sent WHERE sent.phone_key = p_phone AND sent.asker = p_asker AND sent.at > v_now - p_window;
  wait := coalesce(otp_rest(v_times, v_now, p_resend, p_sends, p_window), 0);
  IF v_room IS NULL THEN
    SELECT array_agg(sent.at ORDER BY sent.at DESC) INTO v_times
      FROM otp_sends AS sent WHERE sent.phone_key = p_phone AND sent.room IS NULL AND sent.at > v_now - p_ttl;
    v_wait := coalesce(otp_rest(v_times, v_now, '0', p_live, p_ttl), 0);
    IF v_wait > wait THEN wait := v_wait; cause := 'phone'; END IF;
    v_wait := limit_wait('otp:ip:' || p_network, p_network_max, v_hour);
    IF v_wait > wait THEN wait := v_wait; cause := 'network'; END IF;
    v_wait := limit_wait('otp:network:' || p_customer, p_customer_max, v_hour);
    IF v_wait > wait THEN wait := v_wait; cause := 'network'; END IF;
    v_wait := limit_wait('otp:total', p_total_max, v_hour);
    IF v_wait > wait THEN wait := v_wait; cause := 'all'; END IF;
  END IF;
  IF wait > 0 THEN RETURN; END IF;
  SELECT array_agg(sent.at ORDER BY sent.at DESC) INTO v_times
    FROM otp_sends AS sent
    WHERE sent.phone_key = p_phone AND sent.texted AND sent.room IS NOT DISTINCT FROM v_room
      AND sent.at > v_now - interval '1 day';
  v_wait := coalesce(otp_text_rest(v_times, v_now, p_resend, p_sends, p_window), 0);
  texted := v_wait = 0;
  IF NOT texted AND NOT EXISTS (
    SELECT FROM otp_sends AS sent
      WHERE sent.phone_key = p_phone AND sent.key = p_key AND sent.digest IS NOT NULL
        AND sent.at > v_now - p_ttl + p_left
  ) THEN
    wait := v_wait;
    cause := 'phone';
    RETURN;
  END IF;
  IF texted THEN
    INSERT INTO otp_challenges (key, digest, tries, expires_at) VALUES (p_key, p_digest, 0, v_now + p_ttl)
      ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, tries = 0, expires_at = excluded.expires_at;
  END IF;
  INSERT INTO otp_sends (id, phone_key, at, key, asker, room, texted, digest)
    VALUES (p_id, p_phone, v_now, p_key, p_asker, v_room, texted, CASE WHEN texted THEN p_digest END);
  IF v_room IS NULL THEN
    PERFORM limit_count('otp:ip:' || p_network, v_hour);
    PERFORM limit_count('otp:network:' || p_customer, v_hour);
    PERFORM limit_count('otp:total', v_hour);
  END IF;
END $$;

-- True once, for a code that was texted to the phone and has not expired, within the time and the tries of the challenge.
CREATE FUNCTION otp_answer(
  p_id uuid, p_key text, p_phone text, p_digest text, p_ttl interval, p_max_tries integer
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE otp_sends SET tries = tries + 1
    WHERE id = p_id AND key = p_key AND tries < p_max_tries AND at > clock_timestamp() - p_ttl;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE otp_sends SET digest = NULL
    WHERE phone_key = p_phone AND key = p_key AND digest = p_digest AND at > clock_timestamp() - p_ttl;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE otp_sends SET tries = p_max_tries WHERE id = p_id;
  DELETE FROM otp_challenges WHERE key = p_key AND digest = p_digest;
  RETURN true;
END $$;

-- As before, and the code is used up for every challenge.
CREATE OR REPLACE FUNCTION otp_redeem(p_key text, p_digest text, p_max_tries integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE v_digest text;
BEGIN
  UPDATE otp_challenges SET tries = tries + 1
    WHERE key = p_key AND tries < p_max_tries AND expires_at > clock_timestamp()
    RETURNING digest INTO v_digest;
  IF v_digest IS NULL OR v_digest <> p_digest THEN RETURN false; END IF;
  DELETE FROM otp_challenges WHERE key = p_key;
  UPDATE otp_sends SET digest = NULL WHERE key = p_key AND digest = p_digest;
  RETURN true;
END $$;
`;
