/** The meaning of errors from Postgres. For "cannot be reached" see `isConnectionError` of platform/errors. */

/** The SQLSTATE of an error from Postgres; undefined for anything else. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Serialization failure or deadlock: the transaction did nothing and may be run again. */
export function isSerializationFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** Another transaction held the lock that a statement waited for, for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** PostgreSQL gave a statement up, for its lock or its time: it did nothing. */
export function isCancelled(error: unknown): boolean {
  return isLockTimeout(error) || codeOf(error) === '57014';
}

/** A unique index refused the row; with a name, only if it was that constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  if (constraint === undefined) return true;
  return (
    typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
  );
}
