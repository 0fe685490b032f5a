/** Whether a thrown value is a system error with this code. Not instanceof: Node's errors may be of another realm. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
