/** Finds personal data and tokens in the logs of the services and of PostgreSQL. */
import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { withClient } from '../../src/database.ts';
import type { Finding, ProductCheck } from '../check.ts';

const POSTGRES = 'postgres.log';
const VALUES: [what: string, pattern: RegExp][] = [
  ['values of a row or of a key', /DETAIL: +(?:Key \(|Failing row contains)/],
  ['parameters of a statement', /(?:\b[Pp]arameters: \$1 = |with parameters: )/],
  ['a phone number', /(?<![\w.+-])\+?(?:91[ -]?)?[6-9]\d{9}(?![\w.])/],
  ['an e-mail address', /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i],
  ['a token', /eyJ[\w-]{8,}\.[\w-]{8,}\.|\b[Bb]earer [\w-]{16,}/],
];

/** Returns the kinds of values in a log, each with its first line and the number of lines; never the value. */
export function valuesIn(log: string, text: string): Finding[] {
  const lines = text.split('\n');
  return VALUES.flatMap(([what, pattern]) => {
    const at = lines.flatMap((line, i) => (pattern.test(line) ? [i + 1] : []));
    return at.length === 0 ? [] : [{ where: `${log}:${at[0]}`, what: `${what} (lines: ${at.length})` }];
  });
}

/** Makes PostgreSQL log a duplicate key, a failing statement and a slow statement, each with values. */
async function provoke(client: pg.Client): Promise<void> {
  const phone = `+9198${randomInt(10_000_000, 99_999_999)}`;
  await client.query('create temporary table drill (phone text unique)');
  await client.query('insert into drill values ($1)', [phone]);
  for (const failing of ['insert into drill values ($1)', 'select 1 / (length($1::text) - 13)'])
    await client.query(failing, [phone]).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  await client.query('set log_min_duration_statement = 0');
  await client.query('select length($1::text)', [phone]);
}

/** Returns the values in the logs of a folder, after `provoke`. */
export async function loggedValues(folder: string, postgresUrl: string): Promise<Finding[]> {
  await withClient(postgresUrl, provoke);
  const found: Finding[] = [];
  let isPostgresRead = false;
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.log'))) {
    const text = await readFile(join(folder, name), 'utf8');
    isPostgresRead ||= name === POSTGRES && text.includes('drill');
    found.push(...valuesIn(name, text));
  }
  if (!isPostgresRead) found.push({ where: POSTGRES, what: 'is in another folder', undecided: true });
  return found;
}

export const logs: ProductCheck = {
  name: 'logs',
  holds: 'no log of the run has a phone number, an e-mail address, a token, or a value of a statement',
  run: ({ inside }) => loggedValues(join(inside.stateDir, 'logs'), inside.postgresUrl),
};
