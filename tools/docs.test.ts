/** The documents keep up with the code: what they name exists, and what must be named is. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { authEvents } from '@karaar/contracts/auth/events';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { walletRpc } from '@karaar/contracts/wallet/rpc';
import { root, sourceFiles, textOf } from './test-support/source-files.ts';

const documents = sourceFiles('*.md');
const architecture = textOf('docs/ARCHITECTURE.md');

describe.each(documents)('%s', (path) => {
  const text = textOf(path);

  it('links to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });

  it('names files that are there', () => {
    const spans = [
      ...text.matchAll(/`((?:apps|gateway|services|libs|infra|e2e|bench|tools|docs)\/[\w./-]+)`/g),
    ];
    // Names that the guides make up for their examples, and what a build makes.
    const named = spans.map(([, span]) => span ?? '').filter((span) => !/reminders|NAME|\/dist\b/.test(span));
    expect(named.filter((span) => !existsSync(join(root, span)))).toEqual([]);
  });
});

describe('docs/ARCHITECTURE.md', () => {
  it('knows every service, question and fact', () => {
    const events = [authEvents, documentsEvents, paymentsEvents, walletEvents].flatMap((group) =>
      Object.values(group).map(({ type }) => type),
    );
    const questions = [authRpc, documentsRpc, walletRpc].flatMap((group) =>
      Object.values(group).map(({ subject }) => subject),
    );
    const missing = [...SERVICE_NAMES, ...events, ...questions].filter(
      (name) => !architecture.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  it('knows every contract file of questions and facts that this test reads', () => {
    const files = sourceFiles('libs/contracts/*/rpc.ts', 'libs/contracts/*/events.ts').sort();
    expect(files).toEqual(
      [
        'auth/events',
        'auth/rpc',
        'documents/events',
        'documents/rpc',
        'payments/events',
        'wallet/events',
        'wallet/rpc',
      ].map((name) => `libs/contracts/${name}.ts`),
    );
  });

  it('knows every table', () => {
    const missing = sourceFiles('services/*/src/db/schema.ts').flatMap((schema) => {
      const [, body = ''] = /export type Database = \{([^}]*)\}/.exec(textOf(schema)) ?? [];
      const tables = [...body.matchAll(/(\w+): \w+Table/g)].map(([, table]) => table);
      expect({ schema, tables: tables.length > 0 }).toEqual({ schema, tables: true });
      return tables.filter((table) => !architecture.includes(`\`${table}\``));
    });
    expect(missing).toEqual([]);
  });

  it('names no table that no migration makes', () => {
    const made = sourceFiles('services/*/src/db/migrations/*.ts', 'libs/platform/src/*/*.ts')
      .flatMap((path) => [...textOf(path).matchAll(/create table (\w+)/gi)])
      .map(([, table]) => table);
    const [, owners = ''] = /## Who owns what\n([\s\S]*?)\n\nNo service/.exec(architecture) ?? [];
    const named = [...owners.matchAll(/`([a-z_]+)`/g)].map(([, table]) => table);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((table) => !made.includes(table))).toEqual([]);
  });
});

describe('the README of a service', () => {
  it.each(SERVICE_NAMES)('%s: names its own variables', (service) => {
    const variables = [...textOf(`services/${service}/src/config.ts`).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)];
    const readme = textOf(`services/${service}/README.md`);
    expect(variables.map(([, name]) => name ?? '').filter((name) => !readme.includes(name))).toEqual([]);
  });
});

describe('decisions', () => {
  const files = readdirSync(join(root, 'docs/adr'))
    .filter((name) => /^\d{4}-[a-z0-9-]+\.md$/.test(name))
    .sort();

  it('are numbered without a gap and listed', () => {
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_name, i) => i + 1));
    const index = textOf('docs/adr/README.md');
    expect(files.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });

  it.each(files)('%s says what was rejected and what follows', (name) => {
    const text = textOf(`docs/adr/${name}`);
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)} `));
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Context',
      'Decision',
      'Rejected',
      'Consequences',
    ]);
    expect(text).toMatch(/^Status: (accepted|Superseded by \d{4})$/m);
  });
});
