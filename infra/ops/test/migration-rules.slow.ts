/**
 * Rules for migrations (ADR 0071). The product runs while a migration does, and the previous release runs on its result: a
 * migration must not rewrite or scan a large table under a lock, and must not remove what the previous release uses.
 */
import type { Migrations } from '@karaar/db';
import { sql } from 'kysely';
import { tables } from '../src/databases.ts';
import { findingsOf, type Finding, type Rule } from './migration-rules/rules.ts';
import { statementsOf } from './migration-rules/statements.ts';

/** Migrations that break a rule on purpose. */
const EXCEPTIONS: Readonly<Record<string, { rules: Rule[]; because: string }>> = {};

const found = async (migrations: Migrations): Promise<Record<string, Finding[]>> => {
  const { migrations: written, volatile } = await statementsOf(migrations);
  const all = await Promise.all(
    written.map(async (one) => [one.name, await findingsOf(one, volatile)] as const),
  );
  return Object.fromEntries(all.filter(([, findings]) => findings.length > 0));
};
const rulesIn = (findings: readonly Finding[]): Rule[] =>
  [...new Set(findings.map(({ rule }) => rule))].sort();

it.each(Object.entries(tables))(
  '%s migrates while its service runs',
  async (service, { migrations }) => {
    const findings = await found(migrations);
    const broken = Object.fromEntries(
      Object.entries(findings).map(([name, list]) => [`${service}/${name}`, rulesIn(list)]),
    );
    const expected = Object.fromEntries(
      Object.entries(EXCEPTIONS)
        .filter(([name]) => name.startsWith(`${service}/`))
        .map(([name, { rules }]) => [name, rules.toSorted()]),
    );
    expect(broken).toEqual(expected);
  },
  60_000,
);

describe('on existing tables', () => {
  const there =
    'CREATE TABLE other (id int PRIMARY KEY); CREATE TABLE big (id int, d int, e int, CONSTRAINT nn CHECK (e > 0) NOT VALID); CREATE INDEX x ON big (id)';
  const rules = async (statement: string, withoutTransaction = false): Promise<Rule[]> => {
    const run = (text: string, alone = false) => ({
      withoutTransaction: alone,
      up: async (db: Parameters<Migrations[string]['up']>[0]) => {
        for (const one of text.split('; ')) await sql.raw(one).execute(db);
      },
    });
    const { two = [], ...rest } = await found({ one: run(there), two: run(statement, withoutTransaction) });
    expect(rest).toEqual({});
    return rulesIn(two);
  };

  it.each<[string, Rule[]]>([
    [
      'ALTER TABLE big ALTER COLUMN d TYPE bigint',
      ['removes what the previous release uses', 'rewrites the table'],
    ],
    ['ALTER TABLE big ADD COLUMN b uuid DEFAULT gen_random_uuid()', ['rewrites the table']],
    ['ALTER TABLE big ADD COLUMN b bigserial', ['rewrites the table']],
    ['ALTER TABLE big ADD COLUMN b int GENERATED ALWAYS AS IDENTITY', ['rewrites the table']],
    ['ALTER TABLE big ADD COLUMN b int GENERATED ALWAYS AS (d + 1) STORED', ['rewrites the table']],
    ['ALTER TABLE big SET UNLOGGED', ['rewrites the table']],
    [
      'ALTER TABLE big ADD COLUMN b int NOT NULL',
      ['requires values that the previous release does not write'],
    ],
    ['ALTER TABLE big ADD COLUMN b int CHECK (b > 0)', ['reads the whole table while it is locked']],
    ['ALTER TABLE big ADD COLUMN b int REFERENCES other', ['reads the whole table while it is locked']],
    ['ALTER TABLE big ADD COLUMN b int UNIQUE', ['blocks writes while it makes an index']],
    [
      'ALTER TABLE big ALTER COLUMN d SET NOT NULL',
      [
        'reads the whole table while it is locked',
        'requires values that the previous release does not write',
      ],
    ],
    ['ALTER TABLE big ADD CHECK (d > 0)', ['reads the whole table while it is locked']],
    ['ALTER TABLE big ADD FOREIGN KEY (d) REFERENCES other', ['reads the whole table while it is locked']],
    [
      'ALTER TABLE big ADD CONSTRAINT c CHECK (d > 0) NOT VALID; ALTER TABLE big VALIDATE CONSTRAINT c',
      ['reads the whole table while it is locked'],
    ],
    ['ALTER TABLE big ADD UNIQUE (d)', ['blocks writes while it makes an index']],
    ['CREATE INDEX y ON big (d)', ['blocks writes while it makes an index']],
    ['REINDEX INDEX x', ['blocks writes while it makes an index']],
    ['UPDATE big SET d = 1', ['writes every row at once']],
    ['WITH gone AS (DELETE FROM big RETURNING *) SELECT count(*) FROM gone', ['writes every row at once']],
    ['TRUNCATE big', ['writes every row at once']],
    ['ALTER TABLE big DROP COLUMN d', ['removes what the previous release uses']],
    ['ALTER TABLE big RENAME COLUMN d TO dd', ['removes what the previous release uses']],
    ['ALTER TABLE big RENAME TO bigger', ['removes what the previous release uses']],
    ['DROP TABLE other', ['removes what the previous release uses']],
    ['DO $$ BEGIN UPDATE big SET d = 1; END $$'.replace('; ', ';'), ['hides statements in a DO block']],
  ])('%s is found', async (statement, broken) => {
    expect(await rules(statement)).toEqual(broken);
  });

  it.each([
    'CREATE TABLE new (id int PRIMARY KEY, d int REFERENCES other); CREATE INDEX n ON new (d); ALTER TABLE new ALTER COLUMN d TYPE bigint; UPDATE new SET d = 1; DROP TABLE new',
    'ALTER TABLE big ADD COLUMN b int',
    'ALTER TABLE big ADD COLUMN b int NOT NULL DEFAULT 0',
    'ALTER TABLE big ADD COLUMN b timestamptz NOT NULL DEFAULT now()',
    'ALTER TABLE big ADD CONSTRAINT c CHECK (d > 0) NOT VALID',
    'ALTER TABLE big ADD CONSTRAINT c NOT NULL d NOT VALID',
    'ALTER TABLE big ADD CONSTRAINT c FOREIGN KEY (d) REFERENCES other NOT VALID',
    'ALTER TABLE big VALIDATE CONSTRAINT nn',
    'ALTER TABLE big DROP CONSTRAINT nn',
    'ALTER TABLE big ALTER COLUMN d SET DEFAULT 3',
    'INSERT INTO other VALUES (1)',
    'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  ])('%s is allowed', async (statement) => {
    expect(await rules(statement)).toEqual([]);
  });

  it.each<[string, Rule[]]>([
    ['CREATE INDEX CONCURRENTLY y ON big (d)', []],
    ['DROP INDEX CONCURRENTLY x', []],
    ['REINDEX INDEX CONCURRENTLY x', []],
    ['ALTER TABLE big VALIDATE CONSTRAINT nn', []],
    ['UPDATE big SET d = 1 WHERE id IN (SELECT id FROM big WHERE d IS NULL LIMIT 1000)', []],
    ['UPDATE big SET d = 1', ['writes every row at once']],
    ['VACUUM FULL big', ['rewrites the table']],
    ['CLUSTER big USING x', ['belongs in a transaction', 'rewrites the table']],
    ['ALTER TABLE big ADD COLUMN b int', ['belongs in a transaction']],
    ['CREATE TABLE new (id int)', ['belongs in a transaction']],
  ])('%s without a transaction breaks %j', async (statement, broken) => {
    expect(await rules(statement, true)).toEqual(broken);
  });
});
