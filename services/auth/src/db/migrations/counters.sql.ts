/**
 * One-time codes and limits as SQL functions. Each decision is one round trip and one transaction under a
 * lock, and survives a restart of Redis (ADR "One-time codes and limits in Postgres"). Phones and addresses
 * are stored only as HMACs.
 */
export const COUNTERS_SQL = `
CREATE TABLE limit_counts (
  name text NOT NULL,
  bucket timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (name, bucket)
);

-- The latest code of a purpose.
CREATE TABLE otp_challenges (
  key text PRIMARY KEY,
  digest text NOT NULL,
  tries smallint NOT NULL DEFAULT 0 CHECK (tries <= 5),
  expires_at timestamptz NOT NULL
);

-- A challenge of its own for each send: who asked, with tries of their own, and the code if this send was texted. Texts are
-- counted apart from the asking, in rooms: one of each purpose, and one of each browser that has signed in before.
CREATE TABLE otp_sends (
  id uuid PRIMARY KEY,
  phone_key text NOT NULL,
  at timestamptz NOT NULL,
  key text NOT NULL,
  asker text NOT NULL,
  room text NOT NULL,
  digest text,
  tries smallint NOT NULL DEFAULT 0,
  texted boolean NOT NULL
);
CREATE INDEX otp_sends_by_phone ON otp_sends (phone_key, at);
-- otp_redeem finds the sends of a used code by purpose.
CREATE INDEX otp_sends_by_key ON otp_sends (key) WHERE digest IS NOT NULL;

CREATE TABLE known_browsers (
  key text PRIMARY KEY,
  user_id uuid NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX known_browsers_by_user ON known_browsers (user_id);

-- Milliseconds until a limit has room again, 0 when it has. The window slides by sixtieths.
CREATE FUNCTION limit_wait(p_name text, p_max integer, p_window interval) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_used bigint;
  v_oldest timestamptz;
BEGIN
  SELECT coalesce(sum(count), 0), min(bucket) INTO v_used, v_oldest
    FROM limit_counts WHERE name = p_name AND bucket > clock_timestamp() - p_window;
  IF v_used < p_max THEN RETURN 0; END IF;
  RETURN greatest(1, ceil(extract(epoch FROM v_oldest + p_window - clock_timestamp()) * 1000));
END $$;

CREATE FUNCTION limit_count(p_name text, p_window interval) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO limit_counts (name, bucket, count)
    VALUES (p_name, date_bin(p_window / 60, clock_timestamp(), 'epoch'), 1)
    ON CONFLICT (name, bucket) DO UPDATE SET count = limit_counts.count + 1;
$$;

CREATE FUNCTION limit_lock(p_name text) RETURNS void
LANGUAGE sql AS $$ SELECT pg_advisory_xact_lock(hashtextextended(p_name, 0)) $$;

-- Counts a use and returns 0, or returns the milliseconds to wait and counts nothing.
CREATE FUNCTION limit_take(p_name text, p_max integer, p_window interval) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE v_wait bigint;
BEGIN
  PERFORM limit_lock(p_name);
  v_wait := limit_wait(p_name, p_max, p_window);
  IF v_wait = 0 THEN PERFORM limit_count(p_name, p_window); END IF;
  RETURN v_wait;
END $$;

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
-- takes the codes that were texted to the phone for the same purpose. Strangers share caps; one customer's network may hold a
-- fifth of the live challenges of a phone.
CREATE FUNCTION otp_ask(
  p_id uuid, p_key text, p_phone text, p_room text, p_stranger boolean, p_browser text, p_asker text, p_network text,
  p_customer text, p_digest text,
  p_ttl interval, p_left interval, p_resend interval, p_sends integer, p_window interval,
  p_live integer, p_network_max integer, p_customer_max integer, p_total_max integer,
  OUT wait bigint, OUT cause text, OUT texted boolean
)
LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
  v_room text := p_room;
  v_stranger boolean := p_stranger;
  v_at_phone CONSTANT text := 'otp:phone:' || p_phone || ':' || p_customer;
  v_times timestamptz[];
  v_wait bigint;
  v_hour CONSTANT interval := '1 hour';
BEGIN
  texted := false;
  cause := 'asker';
  IF EXISTS (SELECT FROM known_browsers AS known WHERE known.key = p_browser) THEN
    v_room := p_browser;
    v_stranger := false;
  END IF;
  PERFORM limit_lock('otp:phone:' || p_phone);
  IF v_stranger THEN
    PERFORM limit_lock('otp:ip:' || p_network);
    PERFORM limit_lock('otp:network:' || p_customer);
    PERFORM limit_lock('otp:total');
  END IF;
  v_now := clock_timestamp();
  SELECT array_agg(sent.at ORDER BY sent.at DESC) INTO v_times
    FROM otp_sends AS sent WHERE sent.phone_key = p_phone AND sent.asker = p_asker AND sent.at > v_now - p_window;
  wait := coalesce(otp_rest(v_times, v_now, p_resend, p_sends, p_window), 0);
  IF v_stranger THEN
    SELECT array_agg(sent.at ORDER BY sent.at DESC) INTO v_times
      FROM otp_sends AS sent WHERE sent.phone_key = p_phone AND sent.room = v_room AND sent.at > v_now - p_ttl;
    v_wait := coalesce(otp_rest(v_times, v_now, '0', p_live, p_ttl), 0);
    IF v_wait > wait THEN wait := v_wait; cause := 'phone'; END IF;
    v_wait := limit_wait(v_at_phone, p_live / 5, p_ttl);
    IF v_wait > wait THEN wait := v_wait; cause := 'network'; END IF;
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
    WHERE sent.phone_key = p_phone AND sent.texted AND sent.room = v_room
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
  IF v_stranger THEN
    PERFORM limit_count(v_at_phone, p_ttl);
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

-- True once, for the right code within its time and tries, which is used up for every challenge. The try is counted before
-- the code is looked at, and guesses that come at once queue up for the row.
CREATE FUNCTION otp_redeem(p_key text, p_digest text, p_max_tries integer) RETURNS boolean
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
