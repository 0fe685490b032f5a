import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Value } from 'typebox/value';
import type { Static, TSchema } from 'typebox';
import type { Fault } from '../errors/index.ts';
import { toFaults } from './faults.ts';
import { mentions, strict } from './strict.ts';
import { unstorableTexts } from './texts.ts';

// The default of 8 would hide faults of a long form; hostile arrays still need a limit.
Settings.Set({ maxErrors: 64 });

export type Checked<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };
export type Checker<S extends TSchema> = (value: unknown) => Checked<Static<S>>;

/**
 * Compiles a schema once. The check fills defaults, reports every fault, and returns the value without
 * undeclared properties, so that none is passed on. It may change the given value.
 */
export function checker<S extends TSchema>(schema: S, rootName = 'body'): Checker<S> {
  const compiled = Compile(schema);
  const isTidy = tidiness(schema);
  const storable = (clean: Static<S>): Checked<Static<S>> => {
    const faults = unstorableTexts(clean, rootName);
    return faults.length > 0 ? { ok: false, faults } : { ok: true, value: clean };
  };
  return (value) => {
    if (isTidy(value)) return storable(value as Static<S>);
    const filled = Value.Default(schema, value);
    if (!compiled.Check(filled)) {
      return { ok: false, faults: toFaults(schema, compiled.Errors(filled), rootName) };
    }
    return storable(Value.Clean(schema, filled) as Static<S>);
  };
}

/**
 * Returns a test for values that need neither defaults nor removal of properties. Most values pass, and the
 * test is a hundred times cheaper than filling and cleaning, which walk the schema for each value.
 */
function tidiness(schema: TSchema): (value: unknown) => boolean {
  // `strict` cannot follow a reference.
  if (mentions(schema, 'default') || mentions(schema, '$ref')) return () => false;
  const compiled = Compile(strict(schema));
  return (value) => compiled.Check(value);
}
