import { sql, type Kysely } from 'kysely';

/**
 * The transparency log: private commitments that wait for their entry (`log_commitments`), published entries
 * (`log_entries`), the tree in tiles, signed checkpoints and the witnesses' cosignatures. Published rows
 * never change.
 */
export async function log(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE log_commitments (
      document_id uuid PRIMARY KEY REFERENCES documents,
      sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      sealed_at text NOT NULL,
      salt bytea NOT NULL CHECK (length(salt) = 32),
      entry_index bigint UNIQUE,
      confirmed_at timestamptz,
      queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      CHECK (confirmed_at IS NULL OR entry_index IS NOT NULL)
    )`.execute(db);
  await sql`
    CREATE INDEX log_commitments_open ON log_commitments (queued_at) WHERE confirmed_at IS NULL`.execute(db);
  await sql`CREATE INDEX log_commitments_by_sha256 ON log_commitments (sha256)`.execute(db);
  await sql`
    CREATE TABLE log_entries (
      index bigint PRIMARY KEY CHECK (index >= 0),
      data bytea NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TABLE log_checkpoints (
      size bigint PRIMARY KEY CHECK (size >= 0),
      root bytea NOT NULL CHECK (length(root) = 32),
      note text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TABLE log_cosignatures (
      size bigint NOT NULL REFERENCES log_checkpoints,
      witness text NOT NULL,
      line text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (size, witness)
    )`.execute(db);
  // Signed notes by which the log continued under another name, after a restore to an earlier time.
  await sql`
    CREATE TABLE log_restarts (
      cut_size bigint PRIMARY KEY CHECK (cut_size >= 0),
      note text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  // The certificates of all seals with their chains, so that old seals are still recognized.
  await sql`
    CREATE TABLE seal_certificates (
      fingerprint text PRIMARY KEY CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
      chain jsonb NOT NULL,
      first_used_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  for (const table of [
    'log_entries',
    'log_checkpoints',
    'log_cosignatures',
    'log_restarts',
    'seal_certificates',
  ])
    await sql`
      CREATE TRIGGER ${sql.ref(`${table}_append_only`)} BEFORE UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await tiles(db);
}

async function tiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE log_tiles (
      level integer NOT NULL CHECK (level BETWEEN 0 AND 5),
      index bigint NOT NULL CHECK (index >= 0),
      hashes bytea NOT NULL CHECK (length(hashes) % 32 = 0 AND length(hashes) BETWEEN 32 AND 8192),
      PRIMARY KEY (level, index)
    )`.execute(db);
  // A tile can only grow, and keeps its existing hashes.
  await sql`
    CREATE FUNCTION only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' OR NEW.level <> OLD.level OR NEW.index <> OLD.index
         OR substring(NEW.hashes FROM 1 FOR length(OLD.hashes)) <> OLD.hashes THEN
        RAISE EXCEPTION 'tiles of the log only grow';
      END IF;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER log_tiles_only_grow BEFORE UPDATE OR DELETE ON log_tiles
    FOR EACH ROW EXECUTE FUNCTION only_grow()`.execute(db);
}
