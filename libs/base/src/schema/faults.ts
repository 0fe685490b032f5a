import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Fault } from '../errors/index.ts';

const plural = (n: number | bigint, word: string) => `${n} ${word}${Number(n) === 1 ? '' : 's'}`;
const list = (values: unknown[]) => values.map((v) => String(v)).join(', ');

const TYPE_WORDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};
const FORMAT_WORDS: Record<string, string> = {
  email: 'must be a valid e-mail address',
  uuid: 'must be a valid id',
  date: 'must be a date (YYYY-MM-DD)',
  'date-time': 'must be a date and time (ISO 8601)',
  uri: 'must be a URL',
  url: 'must be a URL',
};

const decode = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~');
const segments = (pointer: string) => pointer.split('/').slice(1).map(decode);

function nodeAt(schema: TSchema, schemaPath: string): Record<string, unknown> | undefined {
  let node: unknown = schema;
  for (const key of segments(schemaPath)) {
    if (typeof node !== 'object' || node === null) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return typeof node === 'object' && node !== null ? (node as Record<string, unknown>) : undefined;
}

/** Returns a text for one error, to be read after "loc: ". Never contains the value. */
function message(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'type': {
      const types = [error.params.type].flat();
      return `must be ${types.map((t) => TYPE_WORDS[t] ?? t).join(' or ')}`;
    }
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${plural(error.params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${plural(error.params.limit, 'character')}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${error.params.limit}`;
    case 'multipleOf':
      return `must be a multiple of ${error.params.multipleOf}`;
    case 'minItems':
      return `must have at least ${plural(error.params.limit, 'entry').replace('entrys', 'entries')}`;
    case 'maxItems':
      return `must have at most ${plural(error.params.limit, 'entry').replace('entrys', 'entries')}`;
    case 'enum':
      return `must be one of ${list(error.params.allowedValues)}`;
    case 'const':
      return `must be ${String(error.params.allowedValue)}`;
    case 'format':
      return FORMAT_WORDS[error.params.format] ?? `must be a valid ${error.params.format}`;
    case 'pattern':
      return 'does not have the expected form';
    case 'uniqueItems':
      return 'must not contain an entry twice';
    case 'boolean':
      return 'is not a known field';
    case '~refine':
    case 'additionalProperties':
    case 'anyOf':
    case 'contains':
    case 'dependencies':
    case 'dependentRequired':
    case 'if':
    case 'maxProperties':
    case 'minProperties':
    case 'not':
    case 'oneOf':
    case 'propertyNames':
    case 'required':
    case 'unevaluatedItems':
    case 'unevaluatedProperties':
      return 'is not valid';
  }
}

const DETAILS_OF_OTHERS = new Set(['additionalProperties', 'required']);

/**
 * Returns one text for all errors at one location: a schema's own `errorMessage` first, then a union as one
 * sentence.
 */
function summarize(schema: TSchema, errors: TLocalizedValidationError[]): string {
  for (const error of errors) {
    const own = nodeAt(schema, error.schemaPath)?.errorMessage;
    if (typeof own === 'string') return own;
  }
  const union = errors.some((e) => e.keyword === 'anyOf' || e.keyword === 'oneOf');
  if (union) {
    const allowed = errors.flatMap((e) =>
      e.keyword === 'const' && e.params.allowedValue !== '' ? [e.params.allowedValue] : [],
    );
    if (allowed.length > 0) return `must be one of ${list(allowed)}`;
    const types = errors.flatMap((e) => (e.keyword === 'type' ? [e.params.type].flat() : []));
    const other = errors.find((e) => !['anyOf', 'oneOf', 'const', 'type'].includes(e.keyword));
    if (other) return message(other);
    if (types.length > 0) return `must be ${types.map((t) => TYPE_WORDS[t] ?? t).join(' or ')}`;
  }
  const [first] = errors;
  return first ? message(first) : 'is not valid';
}

/**
 * Returns TypeBox errors as faults for the caller, one per location, deepest locations only. A schema may
 * define `errorMessage` with the exact text (the spec fixes some).
 */
export function toFaults(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
  rootName = 'body',
): Fault[] {
  const faults = new Map<string, string>();
  const byPlace = new Map<string, TLocalizedValidationError[]>();
  for (const error of errors) {
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) {
        const place = `${error.instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const own = nodeAt(schema, `${error.schemaPath}/properties/${name}`)?.requiredMessage;
        faults.set(place, typeof own === 'string' ? own : 'is required');
      }
    }
    if (DETAILS_OF_OTHERS.has(error.keyword)) continue;
    byPlace.set(error.instancePath, [...(byPlace.get(error.instancePath) ?? []), error]);
  }
  for (const [place, here] of byPlace) if (!faults.has(place)) faults.set(place, summarize(schema, here));
  const places = [...faults.keys()];
  return places
    .filter((place) => !places.some((other) => other.startsWith(`${place}/`)))
    .map((place) => ({
      loc: segments(place).join('.') || rootName,
      msg: faults.get(place) ?? 'is not valid',
    }));
}
