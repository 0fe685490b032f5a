/** Responses of routes, for callers that expect an object. */

/**
 * Returns the list in a response's body.
 * @throws Error with the beginning of the body if it is not a list, usually an error
 */
export function listIn<T>(body: unknown): T[] {
  if (!Array.isArray(body)) throw new Error(`not a list: ${String(JSON.stringify(body)).slice(0, 300)}`);
  return body;
}
