import { sql, type Kysely } from 'kysely';

/** A table with a column `created_at` whose rows are counted. */
export type CounterSource = {
  table: string;
  /** The columns whose values, joined by a space, form a row's kind. */
  kind: readonly string[];
  /** An integer column to sum up as well. */
  amount?: string;
};

/** Creates the counter tables of a table and counts the existing rows. Call it in a migration. */
export async function counterTables<DB>(db: Kysely<DB>, source: CounterSource): Promise<void> {
  const { table, kind, amount } = source;
  const kindOf = (row: string) => kind.map((column) => `${row}.${column}`).join(` || ' ' || `);
  const amountOf = (row: string) => (amount ? `${row}.${amount}` : '0');
  const dayOf = (row: string) => `(${row}.created_at AT TIME ZONE 'Asia/Kolkata')::date`;
  const sums = (rows: string, sign: '+' | '-') => `
    SELECT ${dayOf('r')}, ${kindOf('r')}, ${sign}count(*), ${sign}sum(${amountOf('r')}) FROM ${rows} r GROUP BY 1, 2`;
  const watched = [...kind, 'created_at', ...(amount ? [amount] : [])];
  const values = (row: string) => watched.map((column) => `${row}.${column}`).join(', ');
  const changes = `INSERT INTO ${table}_counter_changes (day, kind, count, amount)`;
  const trigger = (name: string, body: string, fires: string) => [
    `CREATE FUNCTION ${table}_counters_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${changes} ${body}; RETURN NULL; END $$`,
    `CREATE TRIGGER ${table}_counters_${name} ${fires} EXECUTE FUNCTION ${table}_counters_${name}()`,
  ];
  for (const statement of [
    `CREATE TABLE ${table}_counters (
      day date NOT NULL, kind text NOT NULL, count bigint NOT NULL, amount bigint NOT NULL, PRIMARY KEY (day, kind))`,
    `CREATE TABLE ${table}_counter_changes (
      day date NOT NULL, kind text NOT NULL, count bigint NOT NULL, amount bigint NOT NULL)`,
    `INSERT INTO ${table}_counters (day, kind, count, amount) ${sums(table, '+')}`,
    ...trigger(
      'added',
      sums('added', '+'),
      `AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT`,
    ),
    ...trigger(
      'removed',
      sums('removed', '-'),
      `AFTER DELETE ON ${table} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT`,
    ),
    ...trigger(
      'changed',
      `VALUES (${dayOf('OLD')}, ${kindOf('OLD')}, -1, -${amountOf('OLD')}),
        (${dayOf('NEW')}, ${kindOf('NEW')}, 1, ${amountOf('NEW')})`,
      `AFTER UPDATE OF ${watched.join(', ')} ON ${table} FOR EACH ROW
        WHEN ((${values('OLD')}) IS DISTINCT FROM (${values('NEW')}))`,
    ),
  ])
    await sql.raw(statement).execute(db);
}
