import { openApiDocument } from '@karaar/contracts/openapi-document';
import { allRoutes } from '@karaar/contracts/services';

const document = openApiDocument();
type Operation = { security: Record<string, unknown>[]; parameters?: { name: string }[]; responses: object };
const paths = document['paths'] as Record<string, Record<string, Operation>>;

describe('the OpenAPI document', () => {
  it('contains every route of the contracts, with its access and its path parameters', () => {
    for (const { contract } of allRoutes()) {
      const path = contract.path.replace(/:(\w+)/g, '{$1}');
      const operation = paths[path]?.[contract.method.toLowerCase()];
      expect(operation?.security).toEqual(contract.access === 'public' ? [] : [{ [contract.access]: [] }]);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation?.parameters ?? []).map(({ name }) => name);
      expect(declared).toEqual(expect.arrayContaining(named));
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining(Object.keys(contract.response)),
      );
    }
  });

  it('has a unique id for each operation, and resolves every reference', () => {
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(allRoutes().length);
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(schemas).toHaveProperty(name ?? '');
    }
  });
});
