/** Classifies Postgres errors. For lost connections see `isConnectionError` of `@karaar/base/errors`. */

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Serialization failure or deadlock: the transaction did nothing and may run again. */
export function isSerializationFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** A lock wait exceeded `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Postgres cancelled the statement after a lock or statement timeout: it had no effect. */
export function isCancelled(error: unknown): boolean {
  return isLockTimeout(error) || codeOf(error) === '57014';
}

/** A unique index rejected the row; with a name, only that constraint counts. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  if (constraint === undefined) return true;
  return (
    typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
  );
}
