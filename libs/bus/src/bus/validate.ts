import type { Static, TSchema } from 'typebox';
import type { Fault } from '@karaar/base/errors';
import { checker, type Checked, type Checker } from '@karaar/base/schema';

const checkers = new WeakMap<TSchema, Checker<TSchema>>();

/**
 * Checks a value from JSON against a schema. Removes undeclared properties, so that optional additions of a
 * newer sender do no harm and are not passed on. May change the given value.
 */
export function checkMessage<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  let known = checkers.get(schema);
  if (!known) {
    known = checker(schema);
    checkers.set(schema, known);
  }
  return known(value) as Checked<Static<S>>;
}

/** Lists faults in one line, for logs and dead letters; names fields, never values. */
export function describeFaults(faults: Fault[]): string {
  return faults.map((fault) => `${fault.loc} ${fault.msg}`).join('; ');
}
