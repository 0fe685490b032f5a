import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { openApiDocument } from '@karaar/contracts/openapi-document';
import { allRoutes } from '@karaar/contracts/services';
import { firstDifference, main, openApiText } from './openapi.ts';

const document = openApiDocument();
type Operation = { security: Record<string, unknown>[]; parameters?: { name: string }[]; responses: object };
const paths = document['paths'] as Record<string, Record<string, Operation>>;

describe('the OpenAPI document', () => {
  it('has every route of the contracts, with its access and its path parameters', () => {
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

  it('gives each operation its own id and resolves every reference', () => {
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(allRoutes().length);
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(schemas).toHaveProperty(name ?? '');
    }
  });
});

describe('npm run openapi', () => {
  const dir = mkdtempSync(join(tmpdir(), 'karaar-openapi-'));
  const file = join(dir, 'openapi.json');
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  afterAll(() => rmSync(dir, { recursive: true }));

  it('--check fails without the file, passes after writing it, fails after a change', () => {
    expect(main(['--check'], file)).toBe(1);
    expect(main([], file)).toBe(0);
    expect(main(['--check'], file)).toBe(0);
    writeFileSync(file, readFileSync(file, 'utf8').replace('/auth/login', '/auth/sign-in'));
    expect(main(['--check'], file)).toBe(1);
    expect(said.mock.lastCall?.[0]).toMatch(/line \d+: "\/auth\/sign-in": \{ → "\/auth\/login": \{/);
  });

  it('the committed file is what the contracts say', () => {
    expect(main(['--check'])).toBe(0);
  });
});

describe('firstDifference', () => {
  it('is null for equal texts, else the first line that differs', () => {
    expect(firstDifference('a\nb', 'a\nb')).toBeNull();
    expect(firstDifference('a\nb', 'a\nc')).toBe('line 2: b → c');
    expect(firstDifference('', openApiText())).toBe('line 1:  → {');
    expect(firstDifference('a\nb', 'a')).toBe('line 2: b → (end)');
  });
});
