/** Values of people in the logs that the run has left: of the services, and of what they stand on. */
import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { withClient } from '../../src/database.ts';
import type { Finding, ProductCheck } from '../check.ts';

const POSTGRES = 'postgres.log';
/** What looks like a value that no log may hold. */
const VALUES: [what: string, pattern: RegExp][] = [
  ['values of a row or of a key', /DETAIL: +(?:Key \(|Failing row contains)/],
  ['parameters of a statement', /(?:\b[Pp]arameters: \$1 = |with parameters: )/],
  ['a phone number', /(?<![\w.+-])\+?(?:91[ -]?)?[6-9]\d{9}(?![\w.])/],
  ['an e-mail address', /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i],
  ['a token', /eyJ[\w-]{8,}\.[\w-]{8,}\.|\b[Bb]earer [\w-]{16,}/],
];

/** The kinds of values in a log, each with how many lines have it and the first of them; never the value. */
export function valuesIn(log: string, text: string): Finding[] {
  const lines = text.split('\n');
  return VALUES.flatMap(([what, pattern]) => {
    const at = lines.flatMap((line, i) => (pattern.test(line) ? [i + 1] : []));
    return at.length === 0 ? [] : [{ where: `${log}:${at[0]}`, what: `${what} (lines: ${at.length})` }];
  });
}

/** Whatever else happened, PostgreSQL has seen a key that is taken, and a slow and a failing statement with values. */
async function provoke(client: pg.Client): Promise<void> {
  const phone = `+9198${randomInt(10_000_000, 99_999_999)}`;
  const fails = (statement: string) =>
    client.query(statement, [phone]).then(
      () => {
        throw new Error(`${statement} did not fail`);
      },
      (error: unknown) => {
        if (!(error instanceof pg.DatabaseError)) throw error;
      },
    );
  await client.query('create temporary table drill (phone text unique)');
  await client.query('insert into drill values ($1)', [phone]);
  await fails('insert into drill values ($1)');
  await fails('select 1 / (length($1::text) - 13)');
  await client.query('set log_min_duration_statement = 0');
  await client.query('select length($1::text)', [phone]);
}

/** What the logs below a folder hold, after PostgreSQL was given values to log. */
export async function loggedValues(folder: string, postgresUrl: string): Promise<Finding[]> {
  await withClient(postgresUrl, provoke);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const logs = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  );
  const asked = logs.some(([name, text]) => name === POSTGRES && text.includes('drill'));
  return [
    ...logs.flatMap(([name, text]) => valuesIn(name, text)),
    ...(asked ? [] : [{ where: POSTGRES, what: 'is kept elsewhere', undecided: true as const }]),
  ];
}

export const logs: ProductCheck = {
  name: 'logs',
  holds: 'no log of the run has a phone number, an e-mail address, a token, or a value of a statement',
  run: ({ inside }) => loggedValues(join(inside.stateDir, 'logs'), inside.postgresUrl),
};
