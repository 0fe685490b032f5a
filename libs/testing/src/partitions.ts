/** Reports which partitions a query has scanned, by the database's statistics. */
import { sql, type Kysely } from 'kysely';

/** Runs `query` in a transaction. @returns the names of the table's partitions that it has scanned */
export async function partitionsRead<DB>(
  db: Kysely<DB>,
  table: string,
  query: (tx: Kysely<DB>) => Promise<unknown>,
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    // The connection may still hold counts of earlier queries.
    const before = await scans(tx, table);
    await query(tx);
    const after = await scans(tx, table);
    return [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
  });
}

async function scans<DB>(tx: Kysely<DB>, table: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name, (seq_scan + coalesce(idx_scan, 0))::int as count from pg_stat_xact_user_tables
    where relid in (select relid from pg_partition_tree(${table}::regclass) where isleaf) order by 1`.execute(
    tx,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
