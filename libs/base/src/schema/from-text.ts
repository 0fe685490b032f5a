import type { TObject, TSchema } from 'typebox';
import { IsOptional } from 'typebox';
import { Value } from 'typebox/value';

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

type Node = { type?: unknown; anyOf?: unknown; const?: unknown; enum?: unknown };

/**
 * Converts a string (query, path, form field, environment variable) to the schema's type, or returns it
 * unchanged, so that the following check reports it. Stricter than Value.Convert, which reads '' as 0 and
 * 'true' as 1.
 */
export function fromText(schema: TSchema, text: string): unknown {
  const node = schema as Node;
  if (Array.isArray(node.anyOf)) {
    for (const option of node.anyOf as TSchema[]) {
      const value = fromText(option, text);
      if (Value.Check(option, value)) return value;
    }
    return text;
  }
  const literal =
    typeof node.const === 'number' || typeof node.const === 'boolean' ? typeof node.const : undefined;
  switch (node.type ?? literal) {
    case 'number':
    case 'integer':
      return DECIMAL.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      return BOOLEANS[text.trim().toLowerCase()] ?? text;
    case 'null':
      return text === '' ? null : text;
    case undefined:
    default:
      return text;
  }
}

/**
 * Converts string values by name (a name may occur more than once) to the schema's object. A declared list
 * becomes a list even with one value. An empty string for an optional property that cannot be empty counts as
 * absent, because a browser's form sends blank fields that way.
 */
export function fromTextObject(
  schema: TObject,
  bag: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const rawValue = Object.hasOwn(bag, name) ? bag[name] : undefined;
    if (rawValue === undefined) continue;
    const items =
      (property as { type?: unknown; items?: TSchema }).type === 'array'
        ? (property as { items?: TSchema }).items
        : undefined;
    if (items) {
      result[name] = [rawValue].flat().map((text) => fromText(items, text));
      continue;
    }
    if (typeof rawValue !== 'string') {
      result[name] = rawValue;
      continue;
    }
    const value = fromText(property, rawValue);
    if (rawValue === '' && IsOptional(property) && !Value.Check(property, value)) continue;
    result[name] = value;
  }
  return result;
}
