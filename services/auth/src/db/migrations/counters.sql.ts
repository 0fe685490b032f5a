/**
 * One-time codes and limits as SQL functions: each decision is one round trip and one transaction, made under a
 * lock, and survives what Redis would forget (ADR "One-time codes and limits in Postgres").
 * Phones and addresses appear as HMACs only.
 */
export const COUNTERS_SQL = `
CREATE TABLE limit_counts (
  name text NOT NULL,
  bucket timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (name, bucket)
);

CREATE TABLE otp_challenges (
  key text PRIMARY KEY,
  digest text NOT NULL,
  tries smallint NOT NULL DEFAULT 0 CHECK (tries <= 5),
  expires_at timestamptz NOT NULL
);

CREATE TABLE otp_sends (
  id uuid PRIMARY KEY,
  phone_key text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX otp_sends_by_phone ON otp_sends (phone_key, at);

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

-- Stores a challenge and returns 0, or returns the milliseconds until one may be sent. A refused send counts nowhere.
CREATE FUNCTION otp_open(
  p_id uuid, p_key text, p_phone text, p_ip text, p_digest text,
  p_ttl interval, p_resend interval, p_sends integer, p_sends_window interval, p_ip_max integer, p_total_max integer
) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
  v_sends timestamptz[];
  v_wait bigint := 0;
  v_hour CONSTANT interval := '1 hour';
BEGIN
  PERFORM limit_lock('otp:phone:' || p_phone);
  PERFORM limit_lock('otp:ip:' || p_ip);
  PERFORM limit_lock('otp:total');
  v_now := clock_timestamp();
  SELECT array_agg(at ORDER BY at DESC) INTO v_sends
    FROM otp_sends WHERE phone_key = p_phone AND at > v_now - p_sends_window;
  IF v_sends[1] + p_resend > v_now THEN
    v_wait := ceil(extract(epoch FROM v_sends[1] + p_resend - v_now) * 1000);
  END IF;
  IF coalesce(array_length(v_sends, 1), 0) >= p_sends THEN
    v_wait := greatest(v_wait, ceil(extract(epoch FROM v_sends[p_sends] + p_sends_window - v_now) * 1000));
  END IF;
  v_wait := greatest(v_wait, limit_wait('otp:ip:' || p_ip, p_ip_max, v_hour),
    limit_wait('otp:total', p_total_max, v_hour));
  IF v_wait > 0 THEN RETURN v_wait; END IF;
  INSERT INTO otp_challenges (key, digest, tries, expires_at) VALUES (p_key, p_digest, 0, v_now + p_ttl)
    ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, tries = 0, expires_at = excluded.expires_at;
  INSERT INTO otp_sends (id, phone_key, at) VALUES (p_id, p_phone, v_now);
  PERFORM limit_count('otp:ip:' || p_ip, v_hour);
  PERFORM limit_count('otp:total', v_hour);
  RETURN 0;
END $$;

-- True once, for the right code within its time and tries. The try is counted before the code is looked at, and
-- guesses that come at once queue up for the row.
CREATE FUNCTION otp_redeem(p_key text, p_digest text, p_max_tries integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE v_digest text;
BEGIN
  UPDATE otp_challenges SET tries = tries + 1
    WHERE key = p_key AND tries < p_max_tries AND expires_at > clock_timestamp()
    RETURNING digest INTO v_digest;
  IF v_digest IS NULL OR v_digest <> p_digest THEN RETURN false; END IF;
  DELETE FROM otp_challenges WHERE key = p_key;
  RETURN true;
END $$;
`;
