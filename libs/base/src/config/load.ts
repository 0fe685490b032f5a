import type { Static, TObject, TSchema } from 'typebox';
import { IsOptional } from 'typebox';
import { checker } from '../schema/checker.ts';
import { fromText } from '../schema/from-text.ts';

export type ConfigFault = { name: string; problem: string };

/** All faults of the environment in one message. Names and problems only: a value may be a secret. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map((fault) => `  ${fault.name} ${fault.problem}`);
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${lines.join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Lists are separated by commas: `A, B`. */
function convert(schema: TSchema, text: string): unknown {
  const node = schema as { type?: unknown; items?: TSchema };
  const { items } = node;
  if (node.type !== 'array' || !items) return fromText(schema, text);
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => fromText(items, part));
}

/**
 * Reads the variables that the schema names (property names are variable names), converts numbers, booleans
 * and comma lists, and fills defaults. An empty variable counts as not set.
 * @throws ConfigError that lists every fault
 */
export function loadConfig<S extends TObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Static<S>> {
  const faults: ConfigFault[] = [];
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = env[name];
    const preset = (property as { default?: unknown }).default;
    if (text === undefined || text === '') {
      if (preset !== undefined) result[name] = preset;
      else if (!IsOptional(property)) faults.push({ name, problem: 'is required' });
      continue;
    }
    const checked = checker(property, '')(convert(property, text));
    if (checked.ok) result[name] = checked.value;
    else
      faults.push(
        ...checked.faults.map(({ loc, msg }) => ({ name: loc ? `${name}[${loc}]` : name, problem: msg })),
      );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(result) as Readonly<Static<S>>;
}
