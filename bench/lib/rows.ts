import { withClient } from '@karaar/e2e/src/database.ts';
import type pg from 'pg';

/** Runs one query over a new connection. */
export const rows = <T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> =>
  withClient(url, async (client) => (await client.query<T>(sql)).rows);

/** Counts the rows of a table, or of a table with a condition. */
export const count = async (url: string, from: string): Promise<number> =>
  (await rows<{ n: number }>(url, `SELECT count(*)::int AS n FROM ${from}`))[0]?.n ?? 0;

/** Returns an expression for each row of a table, or of a table with joins and conditions. */
export const column = async (url: string, expression: string, from: string): Promise<string[]> =>
  (await rows<{ it: string }>(url, `SELECT ${expression} AS it FROM ${from}`)).map(({ it }) => it);
