/** The documents keep up with the code: what they name exists, and what must be named is. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { authEvents } from '@karaar/contracts/auth/events';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { brokerRpc } from '@karaar/contracts/broker/rpc';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { internalRoutes } from '@karaar/contracts/internal';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { messagingEvents } from '@karaar/contracts/messaging/events';
import { notificationsEvents } from '@karaar/contracts/notifications/events';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { SERVICE_NAMES, serviceRoutes } from '@karaar/contracts/services';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { tablesOf } from './generate/database-type.ts';
import { root, sourceFiles, textOf } from './testing/source-files.ts';

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
    const events = [
      authEvents,
      documentsEvents,
      messagingEvents,
      notificationsEvents,
      paymentsEvents,
      walletEvents,
    ].flatMap((group) => Object.values(group).map(({ type }) => type));
    const questions = [
      ...[authRpc, brokerRpc, documentsRpc, notificationsRpc, paymentsRpc].flatMap((group) =>
        Object.values(group).map(({ subject }) => subject),
      ),
      ...Object.values(internalRoutes).map(({ path }) => path),
    ];
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
        'broker/rpc',
        'documents/events',
        'documents/rpc',
        'messaging/events',
        'notifications/events',
        'notifications/rpc',
        'payments/events',
        'payments/rpc',
        'wallet/events',
      ].map((name) => `libs/contracts/${name}.ts`),
    );
  });

  it('knows every table', () => {
    const missing = sourceFiles('services/*/src/db/schema.ts').flatMap((schema) => {
      return tablesOf(textOf(schema), schema).filter((table) => !architecture.includes(`\`${table}\``));
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

describe('docs/glossary.md', () => {
  const rows = textOf('docs/glossary.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (term|---) /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, term = '', meaning = '', where = '']) => ({ term, meaning, where }));

  it('explains each term in a sentence and links to where it lives', () => {
    expect(rows.length).toBeGreaterThan(60);
    const wanting = rows.filter(
      ({ term, meaning, where }) => term === '' || !/[a-z].*\.$/.test(meaning) || !/\]\([^)]+\)/.test(where),
    );
    expect(wanting).toEqual([]);
  });

  it('has each term once', () => {
    const terms = rows.flatMap(({ term }) => term.replace(/ \(.*\)$/, '').split(', '));
    expect(terms.filter((term, i) => terms.indexOf(term) !== i)).toEqual([]);
  });

  it.each(['README.md', 'docs/ARCHITECTURE.md'])('is linked from %s, as docs/STYLE.md is', (path) => {
    const links = [...textOf(path).matchAll(/\]\(([^)#\s]+)/g)].map(([, link]) =>
      join(dirname(path), link ?? ''),
    );
    expect(links).toEqual(expect.arrayContaining(['docs/glossary.md', 'docs/STYLE.md']));
  });
});

describe('the README: what it is built of', () => {
  const [, table = ''] = /## What it is built of\n([\s\S]*?)\n## /.exec(textOf('README.md')) ?? [];
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, packages = '', where = ''] = line.split('|');
      const named = [...(packages.split(':')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
      return { named, places: [...where.matchAll(/`([\w-]+\/[^`]*)`/g)].map(([, place]) => place ?? '') };
    });

  it('has the packages that were asked for by name', () => {
    const names = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    const asked = ['@module-federation/enhanced', 'testcontainers', 'puppeteer', 'nats'];
    expect(asked.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('names for each package places that use it', () => {
    expect(rows.length).toBeGreaterThan(5);
    const unused = rows.flatMap(({ named, places }) =>
      named.flatMap((name) => {
        const uses = new RegExp(`(from|import\\()\\s*'${name}[/']`);
        const used = (place: string) =>
          sourceFiles(`${place.replace(/\/$/, '')}/*`).some(
            (path) => /\.(tsx?|mjs)$/.test(path) && uses.test(textOf(path)),
          );
        return places.length > 0
          ? places.filter((place) => !used(place)).map((place) => [name, place])
          : [[name]];
      }),
    );
    expect(unused).toEqual([]);
  });
});

/** Paths that a README names; `/page` behind `/admin/documents` in a row also stands for `/admin/documents/page`. */
function pathsNamed(readme: string): Set<string> {
  const named = new Set<string>();
  for (const line of readme.split('\n')) {
    let prefixes = [''];
    for (const [, span = ''] of line.matchAll(/`([^`]+)`/g)) {
      const [, path = ''] = /^(?:[A-Z, ]+ )?…?(\/[^\s?]*)/.exec(span) ?? [];
      if (path === '') continue;
      for (const prefix of prefixes) named.add(prefix + path);
      const parts = path.split('/');
      if (prefixes.length === 1) prefixes = parts.map((_part, i) => parts.slice(0, i + 1).join('/'));
    }
  }
  return named;
}

describe('the README of a service', () => {
  it.each(Object.entries(serviceRoutes))('%s: names its routes', (service, routes) => {
    const named = pathsNamed(textOf(`services/${service}/README.md`));
    const missing = Object.values(routes).filter(({ path }) => !named.has(path));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it.each(sourceFiles('services/*/src/db/schema.ts'))('%s: its tables are named', (schema) => {
    const readme = textOf(schema.replace('src/db/schema.ts', 'README.md'));
    expect(tablesOf(textOf(schema), schema).filter((table) => !readme.includes(`\`${table}\``))).toEqual([]);
  });

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

  it('have a number each and are listed', () => {
    expect(files.length).toBeGreaterThan(35);
    const numbers = files.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
    const index = textOf('docs/adr/README.md');
    expect(files.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });

  it('are there where they are cited', () => {
    const citing = sourceFiles(
      '*.ts',
      '*.tsx',
      '*.mjs',
      '*.css',
      '*.md',
      '*.yaml',
      'infra/docker/Dockerfile*',
    );
    const cited = citing.flatMap((path) =>
      [...textOf(path).matchAll(/(?:\bADR |docs\/adr\/)(\d{4})\b/g)].map(([, number]) => ({ path, number })),
    );
    expect(cited.length).toBeGreaterThan(40);
    expect(cited.filter(({ number }) => !files.some((name) => name.startsWith(`${number}-`)))).toEqual([]);
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
