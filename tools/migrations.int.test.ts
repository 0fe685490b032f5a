/** Migrations have run somewhere: what they do, and what they call, is the same for ever (ADR 0050). */
import { createHash } from 'node:crypto';
import ts from 'typescript';
import frozen from './frozen.json' with { type: 'json' };
import { sourceFiles, textOf } from './testing/source-files.ts';

const FROZEN = 'libs/platform/src/frozen-tables/';
const migrations = sourceFiles('services/*/src/db/migrations/*.ts');
const frozenFiles = sourceFiles(`${FROZEN}*.ts`);

/** What a file imports or exports from elsewhere, types as well: they go away with their module. */
const importsOf = (text: string): string[] =>
  ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);

const ALLOWED = /^kysely$|^node:|^\.\/[^/]+$/;

it('a migration imports kysely, its own folder and frozen tables: nothing that lives', () => {
  expect(migrations.length).toBeGreaterThan(50);
  const live = migrations.flatMap((path) =>
    importsOf(textOf(path))
      .filter((name) => !ALLOWED.test(name) && name !== '@karaar/platform/frozen-tables')
      .map((name) => `${path} imports ${name}`),
  );
  expect(live).toEqual([]);
});

it('frozen tables import kysely and their own folder', () => {
  const live = frozenFiles.flatMap((path) => importsOf(textOf(path)).filter((name) => !ALLOWED.test(name)));
  expect(live).toEqual([]);
});

it('frozen tables are as they were when migrations began to call them', () => {
  const now = Object.fromEntries(
    frozenFiles
      .filter((path) => !path.endsWith('/index.ts'))
      .map((path) => [path.slice(FROZEN.length), createHash('sha256').update(textOf(path)).digest('hex')]),
  );
  // A new form of a table is a new file with a new line here. A changed hash means that old databases differ from new ones.
  expect(now).toEqual(frozen);
});

it.each([
  ["import { a } from '@karaar/platform/bus';", ['@karaar/platform/bus']],
  ["import type { A } from '../schema.ts';", ['../schema.ts']],
  ["await import('./x.ts')", ['./x.ts']],
  ["import {\n  a,\n} from 'kysely';\nexport { b } from './b.ts';", ['kysely', './b.ts']],
  ["import './effects.ts';", ['./effects.ts']],
])('%s is read as an import', (text, names) => {
  expect(importsOf(text)).toEqual(names);
});
