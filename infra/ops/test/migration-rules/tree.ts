/** Reads PostgreSQL's parse tree as JSON: a node is an object with one key, its kind. */
import { parse } from 'libpg-query';

export type Fields = Readonly<Record<string, unknown>>;
export type Node = { kind: string; fields: Fields };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws if the value is not a node */
export function nodeOf(value: unknown): Node {
  const [entry] = isFields(value) ? Object.entries(value) : [];
  if (!entry || !isFields(entry[1])) throw new Error(`not a node: ${JSON.stringify(value)}`);
  return { kind: entry[0], fields: entry[1] };
}

export const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.map(nodeOf) : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const tableOf = (relation: unknown): string => textOf(isFields(relation) ? relation['relname'] : '');
/** Returns the last part of a name such as `public.a`. */
export const lastNameOf = (names: unknown): string => textOf(nodesOf(names).at(-1)?.fields['sval']);

/** Parses SQL. @throws for invalid SQL */
export async function parseStatements(text: string): Promise<Node[]> {
  const { stmts = [] } = await parse(text);
  return stmts.map(({ stmt }) => nodeOf(stmt));
}

/** Returns every node of a kind, at any depth. */
export function within(value: unknown, kind: string): Fields[] {
  if (Array.isArray(value)) return value.flatMap((one) => within(one, kind));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    ...(key === kind && isFields(one) ? [one] : []),
    ...within(one, kind),
  ]);
}

/** Returns true if a key occurs anywhere in a value. */
export function has(value: unknown, key: string): boolean {
  if (Array.isArray(value)) return value.some((one) => has(one, key));
  return isFields(value) && (key in value || Object.values(value).some((one) => has(one, key)));
}
