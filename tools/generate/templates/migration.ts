/** Migrations and the list that registers them. */

/** A migration. @param what one line for its docstring. @param body the statements, on `db` */
export const migrationFile = (
  what: string,
  body: string,
  withBus = false,
): string => `${withBus ? "import { busTables } from '@karaar/platform/shared-tables';\n" : ''}import { sql, type Kysely } from 'kysely';

/** ${what} */
export async function up(db: Kysely<unknown>): Promise<void> {
  ${withBus ? 'await busTables(db);\n  ' : ''}${body}
}
`;

/** `db/migrations/index.ts` of a new service. */
export const migrationIndex = (
  name: string,
): string => `/** Every migration by its name, in the order of the names. */
import * as init from './${name}.ts';

export const migrations = { '${name}': init };
`;
