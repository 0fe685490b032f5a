/** The HTTP contract of a feature. */
import type { Names } from '../names.ts';

/** What the pieces below import from `libs/contracts/kit.ts`. */
export const KIT_NAMES = ['defineRoute', 'IsoDateTime', 'Uuid'] as const;

/** A whole contract file for a new service. */
export const contractFile = (
  service: string,
  feature: Names,
): string => `/** The ${service} service's HTTP contract. */
import { Type } from 'typebox';
import { ${KIT_NAMES.join(', ')} } from '../kit.ts';

${contractSchema(feature)}
export const ${service}Routes = {
${contractRoutes(service, feature)}
} as const;
`;

/** The shape that the routes answer with. */
export const contractSchema = ({ one }: Names): string => `export const ${one} = Type.Object({
  _id: Uuid,
  title: Type.String(),
  created_at: IsoDateTime,
});
`;

/** Where the routes lie: a service's own name is not said twice. */
export const pathOf = (service: string, feature: Names): string =>
  feature.kebab === service ? `/${service}` : `/${service}/${feature.kebab}`;

/** The routes, for the inside of the routes object. */
export function contractRoutes(service: string, feature: Names): string {
  const { one, pascal, words, oneWords } = feature;
  const path = pathOf(service, feature);
  return `  list${pascal}: defineRoute({
    method: 'GET',
    path: '${path}',
    access: 'user',
    summary: "The caller's ${words}, newest first",
    query: Type.Object({
      cursor: Type.Optional(Uuid),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Array(${one}) },
  }),
  create${one}: defineRoute({
    method: 'POST',
    path: '${path}',
    access: 'user',
    summary: 'Write a new ${oneWords}',
    body: Type.Object({ title: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: { 201: ${one} },
  }),
  get${one}: defineRoute({
    method: 'GET',
    path: '${path}/:id',
    access: 'user',
    summary: "One ${oneWords} of the caller",
    params: Type.Object({ id: Uuid }),
    response: { 200: ${one} },
  }),`;
}
