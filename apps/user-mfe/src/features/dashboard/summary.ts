/** What the dashboard says about a document; pure. */

/** Whom a row's chat link leads to: the first involved user who is not the current one, if there are several. */
export function chatPartner(involvedUsers: readonly string[], userId: string): string | null {
  if (involvedUsers.length <= 1) return null;
  return involvedUsers.find((each) => each !== userId) ?? null;
}
