/** Derives the chat link of a document's row; pure. */

/** Returns the first involved user who is not the current one, if there are several. */
export function chatPartner(involvedUsers: readonly string[], userId: string): string | null {
  if (involvedUsers.length <= 1) return null;
  return involvedUsers.find((each) => each !== userId) ?? null;
}
