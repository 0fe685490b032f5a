/**
 * Finds gaps in erasures and exports: writes rows about one person into every table of a migrated database,
 * and later reports the columns that still contain the person.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServiceWorld } from '../service-world.ts';

/** The person and the database under test, and the columns whose ids do not identify people. */
export type Rows = {
  /** The database of the service under test, as its owner. */
  url: string;
  userId: string;
  /**
   * Columns with ids of things, as `column` (in every table) or `table.column`; all other uuids identify
   * people.
   */
  things: readonly string[];
  /** Columns with ids of people although `things` lists them, as `table.column`. */
  people?: readonly string[];
};

const ERASED_MS = 10_000;

type Column = { table: string; name: string; type: string; limit: number | null };

/** Their events contain no personal data (tested with the contracts); the other tables are infrastructure. */
const MACHINERY = /^(outbox|inbox|dead_letter|kysely_|partitioned_tables)|_counter/;

/**
 * Writes one row for each column with a person's id: this column is the person, and every text contains
 * `<user id> <table>.<column>`, with ` by <the person's column>` if a table has several. Drops the
 * constraints and triggers of the database, which cannot be used otherwise afterwards. Rows of different
 * tables refer to the same things, so that joins find them.
 */
async function writeRowsOfPerson(rows: Rows): Promise<void> {
  await withClient(rows.url, async (client) => {
    await dropRules(client);
    const tables = Map.groupBy(await columnsOf(client), (column) => column.table);
    const { rows: shared } = await client.query<{ id: string }>('SELECT uuidv7() AS id');
    for (const [table, columns] of tables) {
      const about = columns.filter((column) => namesPeople(rows, column));
      for (const [nth, person] of about.entries()) {
        const by = about.length > 1 ? ` by ${person.name}` : '';
        const values = columns.map((column) => {
          if (column === person) return listed(column, rows.userId);
          if (!isId(column)) return valueOf(column, `${rows.userId} ${table}.${column.name}${by}`);
          return listed(column, nth === 0 && !namesPeople(rows, column) ? shared[0]?.id : undefined);
        });
        const names = columns.map((column) => pg.escapeIdentifier(column.name)).join(', ');
        await client.query(
          `INSERT INTO ${pg.escapeIdentifier(table)} (${names}) OVERRIDING SYSTEM VALUE VALUES (${values.join(', ')})
           ON CONFLICT DO NOTHING`,
        );
      }
    }
  });
}

/**
 * Returns the columns that contain the person's id or a text of those rows: `table.column`, or `table.column
 * by user_id` if the person's role in the row matters.
 */
async function columnsWithPerson({ url, userId }: Pick<Rows, 'url' | 'userId'>): Promise<string[]> {
  return withClient(url, async (client) => {
    const found: string[] = [];
    for (const { table, name, type } of await columnsOf(client)) {
      const column = pg.escapeIdentifier(name);
      const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
      const { rows } = await client.query<{ name: string }>(
        `SELECT DISTINCT coalesce(substring(${text} FROM $1 || ' ([a-z0-9_.]+( by [a-z0-9_]+)?)'), $2) AS name
         FROM ${pg.escapeIdentifier(table)} WHERE ${text} LIKE '%' || $1 || '%'`,
        [userId, `${table}.${name}`],
      );
      found.push(...rows.map((row) => row.name));
    }
    return found.sort();
  });
}

/** Names of tables or columns, by the reason for ignoring them. */
export type Reasons = Record<string, readonly string[]>;

/** Returns all names that have a reason, sorted. */
export const named = (reasons: Reasons): string[] => Object.values(reasons).flat().sort();

export type Forgotten = {
  /** Tables with rows about the person that the export omits. */
  notExported: string[];
  /** Columns that still contain the person after the erasure. */
  left: string[];
};

/**
 * Fills the database, has the service tell and erase the person, and answers what it forgot.
 *
 * @param exportData everything that the service tells in an export
 * @param erase begins the erasure, which may go on afterwards
 * @param stays how many columns are known to keep the person: the wait for the erasure ends there
 */
export async function forgottenOf(
  rows: Rows,
  {
    exportData,
    erase,
    stays,
  }: { exportData: () => Promise<unknown>; erase: () => Promise<void>; stays: number },
): Promise<Forgotten> {
  await writeRowsOfPerson(rows);
  const held = await columnsWithPerson(rows);
  const exported = JSON.stringify(await exportData());
  const tables = [...new Set(held.map((column) => column.slice(0, column.indexOf('.'))))];
  await erase();
  let left = held;
  const end = Date.now() + ERASED_MS;
  while (left.length > stays && Date.now() < end) {
    await sleep(50);
    left = await columnsWithPerson(rows);
  }
  return {
    notExported: tables.filter((table) => !exported.includes(`${rows.userId} ${table}.`)).sort(),
    left,
  };
}

/** Why a column may keep a person. */
export const ID_ALONE = 'names ids alone, and an id names nobody once the account is gone';
export const BOOKS = 'books that the law asks for; they carry no name of a person';
/** A reason why an export omits a table. */
export const AUTH_EXPORTS = "a copy of the person's profile, which auth tells";

/**
 * Has a service tell about a user of its world and hear that the account is deleted.
 *
 * @param ask the service's answer to the question for an export, of a user's id
 * @param notExported tables of which the export may say nothing, `stays` columns that may keep the person, by their reasons
 * @param hears false for a service to which a deletion is nothing
 * @returns what it forgot, and what it has reasons to: the two are to be equal
 */
export async function forgottenOfUser(
  world: Pick<ServiceWorld, 'ownerUrl' | 'addUser' | 'deleteUser'>,
  asked: Pick<Rows, 'things' | 'people'> & {
    ask: (userId: string) => Promise<unknown>;
    notExported: Reasons;
    stays: Reasons;
    hears?: boolean;
  },
): Promise<{ forgotten: Forgotten; known: Forgotten }> {
  const { ask, notExported, stays, hears = true, ...columns } = asked;
  const known = { notExported: named(notExported), left: named(stays) };
  const user = await world.addUser('Asha Rao');
  const forgotten = await forgottenOf(
    { url: world.ownerUrl, userId: user.userId, ...columns },
    {
      exportData: () => ask(user.userId),
      erase: async () => (hears ? await world.deleteUser(user) : undefined),
      stays: known.left.length,
    },
  );
  return { forgotten, known };
}

const isId = ({ type, name }: Column): boolean =>
  type === 'uuid' || type === '_uuid' || (type === 'text' && /_id$/.test(name));

function namesPeople({ things, people = [] }: Rows, column: Column): boolean {
  const full = `${column.table}.${column.name}`;
  if (!isId(column)) return false;
  return (
    people.includes(full) ||
    !(column.name === 'char_id' || things.includes(column.name) || things.includes(full))
  );
}

/** Returns the SQL of an id: the given one, or a new one. */
function listed({ type }: Column, id?: string): string {
  const one = id === undefined ? 'uuidv7()' : `${pg.escapeLiteral(id)}::uuid`;
  if (type === '_uuid') return `ARRAY[${one}]`;
  return type === 'uuid' ? one : `${one}::text`;
}

/** Returns the SQL of a value for a column of this type; texts contain the person. */
function valueOf({ table, name, type, limit }: Column, text: string): string {
  const mark = pg.escapeLiteral(text.slice(0, limit ?? undefined));
  const byType: Record<string, string> = {
    _int4: 'ARRAY[1]',
    _text: `ARRAY[${mark}]`,
    json: `json_build_array(${mark}::text)`,
    jsonb: `jsonb_build_array(${mark}::text)`,
    bytea: `convert_to(${mark}, 'UTF8')`,
    bit: `0::bit(${limit ?? 1})`,
    bool: 'false',
    // The service may remove expired rows before the test reads them.
    timestamptz: name === 'expires_at' ? `now() + interval '1 day'` : 'now()',
    date: 'current_date',
    int2: '1',
    int4: '1',
    int8: '1',
    numeric: '1',
    text: mark,
    varchar: mark,
    bpchar: mark,
  };
  const value = byType[type];
  if (value === undefined) throw new Error(`${table}.${name} has the type ${type}: say how to fill it.`);
  return value;
}

/** Returns the writable columns of tables that are not partitions. */
async function columnsOf(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    SELECT c.table_name AS table, c.column_name AS name, c.udt_name AS type, c.character_maximum_length AS limit
    FROM information_schema.columns c
    JOIN pg_class t ON t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
    WHERE c.table_schema = 'public' AND t.relkind IN ('r', 'p') AND NOT t.relispartition
      AND c.is_generated = 'NEVER'
    ORDER BY 1, c.ordinal_position`);
  return rows.filter(({ table }) => !MACHINERY.test(table));
}

async function dropRules(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'x') AND conislocal
      AND conparentid = 0
    UNION ALL
    SELECT format('DROP TRIGGER IF EXISTS %I ON %s', tgname, tgrelid::regclass)
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND tgparentid = 0 AND relnamespace = 'public'::regnamespace`);
  for (const { statement } of rows) await client.query(statement);
}

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
