import type { QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely';
import pg from 'pg';

const textOf = new Map<string, string>();
const nameOf = new Map<string, string>();

/**
 * Returns a statement that each connection parses and plans once, under this name. For very frequent statements
 * of a constant text that name their columns: a result of another type fails until the connection is replaced.
 * The plan is made without looking at the parameters.
 *
 * @returns `execute`, which throws if another statement has the same name
 */
export function prepared<R>(name: string, statement: RawBuilder<R>) {
  return {
    execute: (db: QueryExecutorProvider): Promise<QueryResult<R>> => {
      const compiled = statement.compile(db);
      const known = textOf.get(name);
      if (known !== undefined && known !== compiled.sql)
        throw new Error(`Two prepared statements have the name ${name}`);
      textOf.set(name, compiled.sql);
      nameOf.set(compiled.sql, name);
      return db.getExecutor().executeQuery<R>(compiled);
    },
  };
}

/** The message of pg's error for a query without an answer within `query_timeout`. */
const SILENT = 'Query read timeout';

/**
 * A connection that prepares named statements, and ends itself if the server does not answer: pg only fails the query,
 * and the pool would use the connection again.
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // Without a listener a connection that breaks between two queries would end the process. The next query fails.
    this.on('error', () => undefined);
  }

  override query(first: unknown, ...rest: unknown[]): never {
    const run = super.query as (...given: unknown[]) => unknown;
    const name = typeof first === 'string' ? nameOf.get(first) : undefined;
    const result =
      name === undefined
        ? run.call(this, first, ...rest)
        : run.call(this, { name, text: first, values: rest[0] });
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === SILENT) void this.end();
      });
    // Its type is that of the overload that the caller chose.
    return result as never;
  }
}
