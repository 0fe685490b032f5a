/**
 * Returns true if the error is a system error with this code. No instanceof, because Node's errors may come
 * from another realm.
 */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
