import type { TSchema } from 'typebox';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ONE = ['items', 'additionalProperties', 'not', 'contains'];
const LIST = ['anyOf', 'allOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties'];

function inside(node: Node): Node[] {
  return [
    ...ONE.map((key) => node[key]),
    ...LIST.flatMap((key) => (Array.isArray(node[key]) ? (node[key] as unknown[]) : [])),
    ...NAMED.flatMap((key) => (isNode(node[key]) ? Object.values(node[key]) : [])),
  ].filter(isNode);
}

/** Returns true if a schema, or one inside it, has this keyword. */
export function mentions(schema: TSchema, keyword: string): boolean {
  const node = schema as Node;
  return keyword in node || inside(node).some((one) => mentions(one as TSchema, keyword));
}

/**
 * Returns a copy in which each object forbids undeclared properties, unless it declares
 * `additionalProperties` itself.
 */
export function strict(schema: TSchema): TSchema {
  const node = schema as Node;
  const twin: Node = { ...node };
  const of = (value: unknown) => (isNode(value) ? strict(value as TSchema) : value);
  for (const key of ONE) if (isNode(node[key])) twin[key] = of(node[key]);
  for (const key of LIST) if (Array.isArray(node[key])) twin[key] = (node[key] as unknown[]).map(of);
  for (const key of NAMED) {
    const named = node[key];
    if (!isNode(named)) continue;
    twin[key] = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, of(value)]));
    twin['additionalProperties'] ??= false;
  }
  return twin as TSchema;
}
