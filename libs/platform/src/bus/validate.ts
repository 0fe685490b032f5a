/** Contract schemas, compiled once each. */
import type { Static, TSchema } from 'typebox';
import type { Fault } from '../errors/index.ts';
import { checker, type Checked, type Checker } from '../schema/index.ts';

const checkers = new WeakMap<TSchema, Checker<TSchema>>();

/**
 * Holds a value that came from JSON against a schema. What is not declared is taken off, so that a newer
 * sender's optional additions do no harm and nothing undeclared travels on. May change the given value.
 */
export function check<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  let known = checkers.get(schema);
  if (!known) {
    known = checker(schema);
    checkers.set(schema, known);
  }
  return known(value) as Checked<Static<S>>;
}

/** Faults in one line, for logs and dead letters; they name places, never values. */
export function describe(faults: Fault[]): string {
  return faults.map((fault) => `${fault.loc} ${fault.msg}`).join('; ');
}
