import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Value } from 'typebox/value';
import type { Static, TSchema } from 'typebox';
import type { Fault } from '../errors/index.ts';
import { toFaults } from './faults.ts';
import { mentions, strict } from './strict.ts';
import { unstorableTexts } from './texts.ts';

// The default of 8 would hide faults of a long form; a bound is still needed against hostile arrays.
Settings.Set({ maxErrors: 64 });

export type Checked<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };
export type Checker<S extends TSchema> = (value: unknown) => Checked<Static<S>>;

/**
 * Compiles a schema once. The check fills defaults, reports every fault, and on success returns the value
 * with unknown properties removed, so that nothing undeclared travels further. It may change the given value.
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
 * Whether a value is right as it is: nothing to fill in, nothing to take off. Most are, and finding that out is a
 * hundred times cheaper than filling and cleaning, which read the schema again for each value.
 */
function tidiness(schema: TSchema): (value: unknown) => boolean {
  // A reference leads out of what `strict` can see.
  if (mentions(schema, 'default') || mentions(schema, '$ref')) return () => false;
  const compiled = Compile(strict(schema));
  return (value) => compiled.Check(value);
}
