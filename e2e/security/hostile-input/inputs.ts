/** Values for a schema of the contracts: valid ones, and invalid ones that often break programs. */
import fc from 'fast-check';

/** The part of JSON Schema that the contracts use. */
type Schema = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

const LONGEST = 200;

function text({ pattern, minLength = 0, maxLength = LONGEST }: Schema): fc.Arbitrary<string> {
  if (pattern?.startsWith('^') && pattern.endsWith('$')) return fc.stringMatching(new RegExp(pattern));
  const min = Math.max(minLength, pattern ? 1 : 0);
  return fc.string({
    minLength: min,
    maxLength: Math.max(min, 1, Math.min(maxLength, LONGEST)),
    unit: 'binary',
  });
}

/** Valid values. */
export function fitting(schema: object): fc.Arbitrary<unknown> {
  const s = schema as Schema;
  if ('const' in s) return fc.constant(s.const);
  if (s.enum) return fc.constantFrom(...s.enum);
  if (s.anyOf) return fc.oneof(...s.anyOf.map(fitting));
  const { minimum: min = -1_000, maximum = 1_000_000, minItems: minLength = 0, maxItems = 4 } = s;
  const max = Math.max(min, maximum);
  switch (s.type) {
    case 'string':
      return text(s);
    case 'integer':
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting(s.items ?? {}), { minLength, maxLength: Math.min(maxItems, 4) });
    case 'object':
      return object(s, fitting);
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function object(s: Schema, of: (schema: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const fields = Object.entries(s.properties ?? {}).map(([name, field]) => [name, of(field)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(s.required ?? [])] });
}

/** Texts with a meaning for databases, shells, templates, paths and parsers. */
// prettier-ignore
export const NASTY_TEXTS: readonly string[] = [
  '', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202e\u0000\ufeff', "' OR 1=1 --", "'; DROP TABLE users; --",
  '$(touch /tmp/x)', '`id`', '{{7*7}}', '${7*7}', '%00', '%s%n', '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd', 'file:///etc/passwd', 'http://169.254.169.254/latest/meta-data/',
  '<script>alert(1)</script>', '__proto__', 'constructor', 'NaN', '-1', '1e309', '99999999999999999999999999',
  '0x7fffffff', '2026-13-45', '0000-00-00', 'null', '\r\nX-Injected: 1', 'क'.repeat(5_000),
  'a'.repeat(20_000), '🙂'.repeat(300),
];

const NASTY: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, 0, -1, -0, 2 ** 53, 1e308, 0.001, [], {}, [[]], [{}]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant({ __proto__: { admin: true }, constructor: { prototype: {} } }) },
);

/** Objects in which some values are nasty, missing or unknown. */
function nasty(schema: object): fc.Arbitrary<unknown> {
  const s = schema as Schema;
  if (s.type !== 'object') return NASTY;
  const unknown = fc.dictionary(fc.string({ maxLength: 20 }), NASTY);
  const more = fc.tuple(fitting(s), unknown).map(([right, others]) => ({ ...(right as object), ...others }));
  return fc.oneof(
    { weight: 6, arbitrary: object({ ...s, required: [] }, (field) => fc.oneof(fitting(field), NASTY)) },
    { weight: 1, arbitrary: NASTY },
    { weight: 1, arbitrary: more },
  );
}

/** Half of the values are valid. */
export const mixed = (schema: object): fc.Arbitrary<unknown> => fc.oneof(fitting(schema), nasty(schema));
