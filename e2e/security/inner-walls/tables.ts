/** Tries, as the role of each service, to change append-only tables and schemas. */
import { PUBLISHERS } from '@karaar/contracts/names';
import { backingPaths } from '@karaar/testing/backing/paths';
import type pg from 'pg';
import { withClient } from '../../src/database.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';
import { tryPostgres } from './takeover/stores.ts';

/** SQLSTATE of a missing right; a trigger that refuses a change has another code. */
const NO_RIGHT = '42501';

/** Returns the URL of a service's role, in development. */
export function roleUrl({ inside }: Pick<Target, 'inside'>, service: string): string {
  const url = new URL(inside.postgresUrl);
  [url.username, url.password, url.pathname] = [
    `karaar_${service}_app`,
    backingPaths(inside.stateDir).secret(`database-${service}-app`),
    `/karaar_${service}`,
  ];
  return url.toString();
}

/** Tables with triggers that refuse changes: true if they refuse deletes, and a column that they refuse to change. */
const GUARDED = `
  select c.relname as name, bool_or(t.tgtype::int & 8 > 0) as keeps_rows,
    (select attname from pg_attribute where attrelid = c.oid and attnum = any (
      select coalesce(t2.tgattr[0], 1) from pg_trigger t2
      where t2.tgrelid = c.oid and t2.tgtype::int & 18 = 18 and not t2.tgisinternal and t2.tgqual is null) limit 1) as col
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgtype::int & 2 = 2 and t.tgtype::int & 24 > 0 and t.tgqual is null
    and c.relnamespace = 'public'::regnamespace and not c.relispartition
  group by c.oid, c.relname order by 1`;
type Guarded = { name: string; keeps_rows: boolean; col: string | null };

/** Tries changes that no service may make, and rolls them back. Returns those for which the role has the right. */
export const ableTo = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Guarded>(GUARDED);
    const statements = [
      'create table drill (id int)',
      'create temporary table drill (id int)',
      'create schema drill',
      'set session_replication_role = replica',
      'update kysely_migration set name = name where false',
      ...rows.filter((row) => row.keeps_rows).map(({ name }) => `delete from ${name} where false`),
      ...rows.flatMap(({ name, col }) => (col ? [`update ${name} set ${col} = ${col} where false`] : [])),
      ...[...rows.map(({ name }) => name), 'outbox'].flatMap((name) => [
        `truncate ${name} cascade`,
        `alter table ${name} disable trigger all`,
        `drop table ${name} cascade`,
      ]),
    ];
    const able: string[] = [];
    for (const statement of statements) if (await passes(client, statement)) able.push(statement);
    return able;
  });

async function passes(client: pg.Client, statement: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== NO_RIGHT;
  } finally {
    await client.query('rollback');
  }
}

export const tables: ProductCheck = {
  name: 'tables',
  holds: 'the role of a service cannot change append-only tables or schemas',
  run: async (target) => {
    const found: Finding[] = [];
    for (const service of PUBLISHERS) {
      const url = roleUrl(target, service);
      const others = (await tryPostgres(url)).filter((name) => name !== `karaar_${service}`);
      const able = [...(await ableTo(url)), ...others.map((name) => `connect to ${name}`)];
      found.push(...able.map((what) => ({ where: `role of ${service}`, what: `has the right to: ${what}` })));
    }
    return found;
  },
};
