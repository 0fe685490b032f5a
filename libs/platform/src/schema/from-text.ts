import type { TObject, TSchema } from 'typebox';
import { IsOptional } from 'typebox';
import { Value } from 'typebox/value';

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

type Node = { type?: unknown; anyOf?: unknown; const?: unknown; enum?: unknown };

/**
 * Turns a text (query, path, form field, environment variable) into what the schema asks for, or leaves it
 * as it is, so that the check afterwards reports it. Stricter than Value.Convert, which reads '' as 0 and
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
 * A bag of texts (a name may come more than once) as the object that the schema asks for. A name declared as a
 * list gets a list also when it came once. An empty text for an optional property that cannot be empty counts
 * as not given: that is how a browser's form sends a field left blank.
 */
export function fromTextObject(
  schema: TObject,
  bag: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(bag, name) ? bag[name] : undefined;
    if (given === undefined) continue;
    const items =
      (property as { type?: unknown; items?: TSchema }).type === 'array'
        ? (property as { items?: TSchema }).items
        : undefined;
    if (items) {
      result[name] = [given].flat().map((text) => fromText(items, text));
      continue;
    }
    if (typeof given !== 'string') {
      result[name] = given;
      continue;
    }
    const value = fromText(property, given);
    if (given === '' && IsOptional(property) && !Value.Check(property, value)) continue;
    result[name] = value;
  }
  return result;
}
