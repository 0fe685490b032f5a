/** What routes answer, to callers that know objects only. */

/**
 * The list in an answer's body.
 * @throws Error with the body's beginning where it is not a list, usually a refusal
 */
export function listIn<T>(body: unknown): T[] {
  if (!Array.isArray(body)) throw new Error(`no list: ${String(JSON.stringify(body)).slice(0, 300)}`);
  return body;
}
