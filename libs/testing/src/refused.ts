import { inspect } from 'node:util';

type Answer = { status: number; body: unknown };

const hasWords = (text: unknown): boolean => typeof text === 'string' && /\p{L}/u.test(text);

/**
 * Asserts that a response is an error in the specification's form: a status, and a `detail` with the reason.
 *
 * @param answer may have members that identify the case: the error shows them
 * @param fields the invalid ones, as the `loc` of each entry of the detail; without any the detail is a text
 * @throws Error with the response otherwise
 */
export function refused<A extends Answer>(answer: A, status: number, ...fields: readonly string[]): void {
  const { detail } = (answer.body ?? {}) as { detail?: unknown };
  const faults = Array.isArray(detail) ? (detail as { loc: unknown; msg: unknown }[]) : [];
  const said = fields.length === 0 ? [detail] : faults.map(({ msg }) => msg);
  const named = faults.length === fields.length && faults.every(({ loc }, at) => loc === fields[at]);
  if (answer.status === status && named && said.every(hasWords)) return;
  const asked = `${status} with ${fields.length === 0 ? 'a text' : `faults of ${fields.join(', ')}`} as its detail`;
  throw new Error(`not refused by ${asked}: ${inspect(answer, { depth: 5 })}`);
}
