import type { OpenApiDocument } from '@karaar/contracts/openapi-document';

type Schema = {
  $ref?: string;
  type?: string;
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const without = <T>(all: readonly T[] = [], some: readonly T[] = []): T[] =>
  all.filter((one) => !some.includes(one));

/**
 * Returns the changes of contracts that break callers of the earlier release: removed routes and fields,
 * newly required request fields, newly optional response fields, and request values that are no longer
 * accepted.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const [old, now] = [before as Document, after as Document]; // the parts that are compared
  const resolve = ({ components }: Document, schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

  function changes(
    was: Schema,
    is: Schema,
    at: string,
    side: 'asked' | 'answered',
    seen: string[],
  ): string[] {
    const pair = `${was.$ref} ${is.$ref}`;
    if (was.$ref !== undefined && seen.includes(pair)) return [];
    const [a, b] = [resolve(old, was), resolve(now, is)];
    if (a.type !== b.type) return [`${at}: ${a.type ?? 'any'} became ${b.type ?? 'any'}`];
    const deeper = (name: string, from: Schema, to: Schema) =>
      changes(from, to, `${at}.${name}`, side, [...seen, pair]);
    const both = Object.entries(a.properties ?? {}).flatMap(([name, from]) => {
      const to = b.properties?.[name];
      if (to) return deeper(name, from, to);
      return side === 'answered' ? [`${at}.${name} is gone`] : [];
    });
    const own =
      side === 'asked'
        ? [
            ...without(b.required, a.required).map((name) => `${at}.${name} became required`),
            ...(b.enum ? without(a.enum, b.enum).map((value) => `${at} takes no ${value} any more`) : []),
          ]
        : without(a.required, b.required)
            .filter((name) => b.properties?.[name])
            .map((name) => `${at}.${name} became optional`);
    return [...own, ...both, ...(a.items && b.items ? deeper('items', a.items, b.items) : [])];
  }

  const asked = ({ parameters = [], requestBody }: Operation): Schema => ({
    properties: {
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      ...Object.fromEntries(
        Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
      ),
    },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...Object.keys(requestBody?.content ?? {}),
    ],
  });
  const answered = ({ responses }: Operation): Schema => ({
    properties: Object.fromEntries(
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, { schema }]) => [`${status} ${type}`, schema]),
      ),
    ),
  });
  return Object.entries(old.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const is = now.paths[path]?.[method];
      if (!is) return [`${at} is gone`];
      return [
        ...changes(asked(was), asked(is), at, 'asked', []),
        ...changes(answered(was), answered(is), at, 'answered', []),
      ];
    }),
  );
}
