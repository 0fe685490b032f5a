/** What the generators make compiles, lints, is formatted and passes its own tests on real Postgres. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { tablesOf } from './generate/database-type.ts';
import { planFeature } from './generate/feature.ts';
import { planMigration, stamp } from './generate/migration.ts';
import { featureName, serviceName } from './generate/names.ts';
import { Refusal } from './generate/refusal.ts';
import { planService } from './generate/service.ts';
import { copyWorkspace, type WorkspaceCopy } from './testing/workspace-copy.ts';

const root = join(import.meta.dirname, '..');
const now = new Date('2030-05-04T03:02:01Z');

/** Every file below services and contracts with its time of change. */
const snapshot = (copy: string): string[] =>
  ['services', 'libs/contracts'].flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${path} ${statSync(join(copy, folder, path)).mtimeMs}`,
    ),
  );

describe('what was generated', () => {
  let copy: WorkspaceCopy;
  const said: string[] = [];

  beforeAll(async () => {
    copy = copyWorkspace();
    for (const args of ['service reminders', 'feature cms price-alerts', 'migration cms add-due-date']) {
      said.push(await copy.succeed('tools/generate.ts', args.split(' ')));
    }
  }, 60_000);
  afterAll(() => copy.remove());

  it('compiles, a new service as well as a service with a new feature', async () => {
    writeFileSync(
      join(copy.root, 'tsconfig.json'),
      '{ "extends": "./tsconfig.base.json", "include": ["services/reminders/**/*.ts", "services/cms/**/*.ts"] }',
    );
    expect(await copy.succeed('node_modules/@typescript/native/bin/tsc', ['-p', 'tsconfig.json'])).toBe('');
  }, 240_000);

  it('passes its tests', async () => {
    const jest = 'node_modules/jest/bin/jest.js';
    for (const [service, tests] of [
      ['reminders', 5],
      ['cms', 2],
    ] as const) {
      const output = await copy.succeed(jest, ['-i', `services/${service}/.*(reminders|price-alerts)`]);
      // Coloured where the one who runs all this asks for colours.
      expect(stripVTControlCharacters(output)).toContain(`${tests} passed, ${tests} total`);
    }
  }, 240_000);

  it('lints and has the format of the house', async () => {
    const folders = ['services/reminders', 'services/cms', 'libs/contracts/reminders', 'libs/contracts/cms'];
    await copy.succeed('node_modules/eslint/bin/eslint.js', ['--max-warnings', '0', ...folders]);
    await copy.succeed('node_modules/prettier/bin/prettier.cjs', ['--check', ...folders]);
    expect(readFileSync(join(copy.root, 'services/reminders/README.md'), 'utf8')).toContain(
      '## What it owns',
    );
  }, 120_000);

  it('says which places need a hand, and names no file that is not there', () => {
    const [service = '', feature = '', migration = ''] = said;
    for (const path of [
      'libs/contracts/services.ts',
      'gateway/src/config.ts',
      'infra/dev/src/processes/services.ts',
    ]) {
      expect(service).toContain(path);
    }
    for (const path of [
      'services/cms/README.md',
      'strangers.ts',
      'errors/texts/',
      'ARCHITECTURE',
      'personal-data',
    ]) {
      expect(feature).toContain(path);
    }
    expect(migration).toContain('services/cms/src/db/schema.ts');
    const plans = [planService(root, 'reminders', now), planFeature(root, 'cms', 'price-alerts', now)];
    const byHand = plans.flatMap((plan) => plan.byHand).map(([place]) => place);
    expect(byHand.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  });

  it('registers a migration after the ones before it, however the clock stands', async () => {
    const index = readFileSync(join(copy.root, 'services/cms/src/db/migrations/index.ts'), 'utf8');
    const names = [...index.matchAll(/'(\d{8}T\d{4}Z-[a-z-]+)':/g)].map(([, name]) => name);
    // After those that cms has of its own.
    expect(names.slice(-2).map((name) => name?.slice(15))).toEqual(['price-alerts', 'add-due-date']);
    expect(names).toEqual([...names].sort());
  });

  it('leaves everything as it is when it refuses', async () => {
    const before = snapshot(copy.root);
    for (const args of ['service reminders', 'feature cms price-alerts', 'migration cms add-due-date']) {
      const { code, output } = await copy.run('tools/generate.ts', args.split(' '));
      expect({ code, said: output.includes('already') }).toEqual({ code: 1, said: true });
    }
    expect(snapshot(copy.root)).toEqual(before);
    expect((await copy.run('tools/generate.ts', ['service'])).output).toContain('Usage:');
  }, 60_000);
});

describe('a feature of a service that is there', () => {
  const services = readdirSync(join(root, 'services')).filter((service) =>
    existsSync(join(root, `services/${service}/src/db/schema.ts`)),
  );

  it('is tried with every service that has a database', () => expect(services.length).toBeGreaterThan(5));

  it.each(services)('%s: its table comes last among the others, and no other type changes', (service) => {
    const path = `services/${service}/src/db/schema.ts`;
    const before = readFileSync(join(root, path), 'utf8');
    const after = planFeature(root, service, 'price-alerts', now).change[path] ?? '';
    expect(tablesOf(after, path)).toEqual([...tablesOf(before, path), 'price_alerts']);
    const [own = '', listed = ''] = [
      /^export type PriceAlertsTable = \{[^}]*\};\n\n/m.exec(after)?.[0],
      / price_alerts: PriceAlertsTable;/.exec(after)?.[0],
    ];
    const withoutImport = (text: string) => text.replace(/^import type .* from 'kysely';\n/m, '');
    expect(withoutImport(after.replace(own, '').replace(listed, ''))).toBe(withoutImport(before));
  });
});

describe('a refusal', () => {
  const refusalOf = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
    return 'taken';
  };

  it.each(['', 'A', 'Wallet', 'two-words', '1st', 'gateway', 'kit', 'null', 'x'.repeat(31), '../up', 'a b'])(
    'meets the service name "%s"',
    (name) => expect(refusalOf(() => planService(root, name, now))).not.toBe('taken'),
  );

  it.each(['', 'Pages', 'a--b', '-a', 'a_b', 'order', 'delete', '../x'])(
    'meets the feature name "%s"',
    (name) => expect(refusalOf(() => planFeature(root, 'cms', name, now))).not.toBe('taken'),
  );

  it('names what is there already, or is not there', () => {
    expect(refusalOf(() => planService(root, 'wallet', now))).toContain('services/wallet already');
    expect(refusalOf(() => planFeature(root, 'cms', 'pages', now))).toContain('features/pages already');
    expect(refusalOf(() => planFeature(root, 'nowhere', 'pages', now))).toContain('no services/nowhere');
    expect(refusalOf(() => planFeature(root, 'messaging', 'messages', now))).toContain('has "const Message"');
    expect(refusalOf(() => planFeature(root, 'vision', 'frames', now))).toContain('no database');
    expect(refusalOf(() => planMigration(root, 'wallet', 'init', now))).toContain('-init.ts already');
    expect(refusalOf(() => planMigration(root, 'wallet', 'Add it', now))).toContain(
      'no name for a migration',
    );
  });
});

describe('names', () => {
  it('have the spellings that code, tables and texts need', () => {
    expect(featureName('price-alerts')).toEqual({
      kebab: 'price-alerts',
      camel: 'priceAlerts',
      pascal: 'PriceAlerts',
      one: 'PriceAlert',
      oneCamel: 'priceAlert',
      snake: 'price_alerts',
      words: 'price alerts',
      oneWords: 'price alert',
    });
    const one = (name: string) => featureName(name).one;
    expect(['entries', 'boxes', 'ledger', 'status', 'classes'].map(one)).toEqual([
      'Entry',
      'Box',
      'Ledger',
      'Status',
      'Class',
    ]);
    // A variable cannot be called `user`'s SQL word or JavaScript's `case`.
    expect(featureName('cases').oneCamel).toBe('oneCase');
    expect(serviceName('reminders').one).toBe('Reminder');
  });

  it('date a migration by now, or a minute after the last one', () => {
    expect(stamp(now, [])).toBe('20300504T0302Z');
    expect(stamp(now, ['20290101T0000Z-init.ts'])).toBe('20300504T0302Z');
    expect(stamp(now, ['20310101T2359Z-later.ts', '20290101T0000Z-init.ts'])).toBe('20310102T0000Z');
  });
});
