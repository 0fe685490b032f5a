/** With `BENCH_STATEMENTS`, which statements a payment is made of and what they cost; pg_stat_statements counts them. */
import type { Product } from '@karaar/dev/product';
import pg from 'pg';

const WANTED = process.env['BENCH_STATEMENTS'] !== undefined;
const SHOWN = 45;

async function ask<T extends pg.QueryResultRow>(product: Product, ...statements: string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: product.backing.postgresUrl });
  await client.connect();
  try {
    let rows: T[] = [];
    for (const sql of statements) ({ rows } = await client.query<T>(sql));
    return rows;
  } finally {
    await client.end();
  }
}

/** Starts the database again with the extension that counts. Before anything else: it costs every statement a little. */
export async function countStatements(product: Product): Promise<void> {
  if (!WANTED) return;
  await ask(
    product,
    `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`,
    `ALTER SYSTEM SET pg_stat_statements.track_planning = 'on'`,
  );
  await product.backing.part('postgres').restart();
  await Promise.all(product.processes.map((each) => each.waitReady()));
  await ask(product, 'CREATE EXTENSION pg_stat_statements');
}

/** What was counted since the last call, as lines; the count begins anew. */
export async function shownStatements(product: Product, payments = 1): Promise<string[]> {
  if (!WANTED) return [];
  const rows = await ask<{ db: string; n: string; us: string; plan: string; text: string }>(
    product,
    `SELECT replace(datname, 'karaar_', '') AS db, (calls / ${payments}::float)::numeric(9, 3) AS n,
       (1000 * total_exec_time / ${payments})::numeric(9, 1) AS us,
       (1000 * total_plan_time / ${payments})::numeric(9, 1) AS plan,
       left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS text
     FROM pg_stat_statements JOIN pg_database ON dbid = pg_database.oid
     WHERE calls > ${payments} * 0.02 ORDER BY total_exec_time + total_plan_time DESC LIMIT ${SHOWN}`,
  );
  await ask(product, 'SELECT pg_stat_statements_reset()');
  return rows.map(({ db, n, us, plan, text }) =>
    [db.padEnd(9), n.padStart(7), us.padStart(8), plan.padStart(8), text].join('  '),
  );
}
