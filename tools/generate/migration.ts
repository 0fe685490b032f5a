/** `generate migration SERVICE NAME`: a dated file, registered in the service's list. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addToMigrations } from './edit.ts';
import { camelOf, migrationName, serviceName } from './names.ts';
import { read, type Plan } from './plan.ts';
import { Refusal } from './refusal.ts';
import { migrationFile } from './templates/migration.ts';

const STAMP = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})Z-/;
const MINUTE_MS = 60_000;

/** A new, empty migration that is applied after all there are. */
export function planMigration(root: string, service: string, name: string, now: Date): Plan {
  const what = migrationName(name);
  const { create, change } = newMigration(root, service, what, { now, text: emptyMigration(what) });
  const [path = ''] = Object.keys(create);
  return {
    made: `A migration of ${service}.`,
    create,
    change,
    byHand: [
      [
        path,
        'its statements, in one transaction; what builds an index of a table that is there goes into a migration of its own with `export const withoutTransaction = true`',
      ],
      [`services/${service}/src/db/schema.ts`, 'the same change as kysely sees it'],
    ],
    run: [`npm test -- services/${service}`],
  };
}

/** The file of a migration and its registration. Throws a Refusal when the service has one of this name. */
export function newMigration(
  root: string,
  service: string,
  name: string,
  { now, text }: { now: Date; text: string },
): Pick<Plan, 'create' | 'change'> {
  const folder = `services/${serviceName(service).kebab}/src/db/migrations`;
  if (!existsSync(join(root, `services/${service}`))) throw new Refusal(`There is no services/${service}.`);
  const index = `${folder}/index.ts`;
  if (!existsSync(join(root, index))) throw new Refusal(`${service} has no database: there is no ${index}.`);
  const there = readdirSync(join(root, folder)).filter((file) => STAMP.test(file));
  const same = there.find((file) => file.replace(STAMP, '') === `${name}.ts`);
  if (same) throw new Refusal(`There is ${folder}/${same} already.`);
  const full = `${stamp(now, there)}-${name}`;
  return {
    create: { [`${folder}/${full}.ts`]: text },
    change: { [index]: addToMigrations(read(root, index), full, camelOf(name)) },
  };
}

/** `20261121T0905Z`: now, or a minute after the last one, since a new migration must come last. */
export function stamp(now: Date, there: readonly string[]): string {
  const last = Math.max(0, ...there.map(timeOf));
  const at = Math.max(now.getTime(), last + MINUTE_MS);
  return `${new Date(at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '')}Z`;
}

function timeOf(file: string): number {
  const [, year, month, day, hour, minute] = STAMP.exec(file) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) || 0;
}

const emptyMigration = (name: string): string =>
  migrationFile(
    `${name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())}.`,
    'await sql`SELECT 1`.execute(db);',
  );
