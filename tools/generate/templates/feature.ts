/** The files of a feature: things that belong to one user each, who can write, read and list them. */
import type { Names } from '../names.ts';

/** Texts of the feature's files by their path below the service. */
export function featureFiles(service: string, feature: Names): Record<string, string> {
  const folder = `src/features/${feature.kebab}/${feature.kebab}`;
  return {
    [`${folder}.routes.ts`]: routes(service, feature),
    [`${folder}.service.ts`]: serviceText(feature),
    [`${folder}.repository.ts`]: repository(feature),
    [`${folder}.presenter.ts`]: presenter(feature),
    [`${folder}.errors.ts`]: errors(feature),
    [`${folder}.repository.int.test.ts`]: repositoryTest(service, feature),
  };
}

/** The feature's row type, for `db/schema.ts`. */
export const tableType = ({ pascal }: Names): string => `export type ${pascal}Table = {
  id: string;
  owner_id: string;
  title: string;
  created_at: ColumnType<Date, never, never>;
};
`;

/** The statements that make the feature's table, for a migration. */
export const tableSql = ({ snake }: Names): string => `await sql\`
    CREATE TABLE ${snake} (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL,
      title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
      created_at timestamptz NOT NULL DEFAULT now()
    )\`.execute(db);
  await sql\`CREATE INDEX ${snake}_by_owner ON ${snake} (owner_id, id DESC)\`.execute(db);`;

const routes = (
  service: string,
  { kebab, camel, pascal, one, oneCamel }: Names,
): string => `import { ${service}Routes as routes } from '@karaar/contracts/${service}/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { present${one} } from './${kebab}.presenter.ts';
import { create${one}, get${one}, list${pascal} } from './${kebab}.service.ts';

export function ${camel}Routes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.list${pascal}, async ({ principal, query }) =>
    (await list${pascal}(ctx, principal.userId, query)).map(present${one}),
  );

  mountRoute(app, routes.create${one}, async ({ principal, body }) => {
    const ${oneCamel} = await create${one}(ctx, principal.userId, body.title);
    return present${one}(${oneCamel});
  });

  mountRoute(app, routes.get${one}, async ({ principal, params }) =>
    present${one}(await get${one}(ctx, principal.userId, params.id)),
  );
}
`;

const serviceText = ({
  kebab,
  camel,
  pascal,
  one,
  oneCamel,
  words,
}: Names): string => `/** A user's own ${words}. */
import { inTransaction, uuidv7 } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import { ${oneCamel}NotFound, titleBlank } from './${kebab}.errors.ts';
import { find${one}, insert${one}, ${camel}Of, type ${one}Row } from './${kebab}.repository.ts';

/** Throws 422 for a title of nothing but spaces. */
export async function create${one}(ctx: Context, ownerId: string, title: string): Promise<${one}Row> {
  const trimmed = title.trim();
  if (trimmed === '') throw titleBlank();
  return inTransaction(ctx.db, (tx) =>
    insert${one}(tx, { id: uuidv7(), owner_id: ownerId, title: trimmed }),
  );
}

/** Throws 404 for an unknown one, and for another user's: that it exists is private. */
export async function get${one}(ctx: Context, ownerId: string, id: string): Promise<${one}Row> {
  const ${oneCamel} = await find${one}(ctx.db, id);
  if (${oneCamel}?.owner_id !== ownerId) throw ${oneCamel}NotFound();
  return ${oneCamel};
}

export const list${pascal} = (
  ctx: Context,
  ownerId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<${one}Row[]> =>
  ${camel}Of(ctx.db, ownerId, { before: page.cursor, limit: page.limit ?? 50 });
`;

const repository = ({
  camel,
  pascal,
  one,
  oneCamel,
  snake,
  words,
}: Names): string => `/** The only file that reads and writes ${words}; takes the database or the transaction it is given. */
import type { Selectable } from 'kysely';
import type { Db, ${pascal}Table } from '../../db/schema.ts';

export type ${one}Row = Selectable<${pascal}Table>;

export async function insert${one}(
  db: Db,
  ${oneCamel}: Pick<${one}Row, 'id' | 'owner_id' | 'title'>,
): Promise<${one}Row> {
  return db.insertInto('${snake}').values(${oneCamel}).returningAll().executeTakeFirstOrThrow();
}

export async function find${one}(db: Db, id: string): Promise<${one}Row | undefined> {
  return db.selectFrom('${snake}').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first (UUIDv7 ids sort by time); \`before\` is the last id of the page before. */
export async function ${camel}Of(
  db: Db,
  ownerId: string,
  page: { before?: string | undefined; limit: number },
): Promise<${one}Row[]> {
  let query = db.selectFrom('${snake}').selectAll().where('owner_id', '=', ownerId);
  if (page.before) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}
`;

const presenter = ({
  kebab,
  one,
  oneCamel,
}: Names): string => `import type { ${one}Row } from './${kebab}.repository.ts';

export const present${one} = (${oneCamel}: ${one}Row) => ({
  _id: ${oneCamel}.id,
  title: ${oneCamel}.title,
  created_at: ${oneCamel}.created_at.toISOString(),
});
`;

const errors = ({
  oneCamel,
  oneWords,
}: Names): string => `import { invalid, notFound } from '@karaar/platform/errors';

export const ${oneCamel}NotFound = () =>
  notFound('${oneWords.replaceAll(' ', '_')}_not_found', 'This ${oneWords} does not exist.');
export const titleBlank = () => invalid([{ loc: 'title', msg: 'Please enter a title.' }]);
`;

const repositoryTest = (
  service: string,
  { kebab, camel, one, words, oneWords }: Names,
): string => `import { createDb, migrateToLatest, uuidv7 } from '@karaar/platform/db-kit';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { migrations } from '../../db/migrations/index.ts';
import type { Database, Db } from '../../db/schema.ts';
import { find${one}, insert${one}, ${camel}Of } from './${kebab}.repository.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testPostgres('${service === kebab ? service : `${service}-${kebab}`}');
  db = createDb<Database>({ url: database.url, applicationName: 'test' });
  await migrateToLatest(db, migrations);
}, 120_000);
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

describe('${words}', () => {
  it('lists those of one user, newest first, page by page', async () => {
    const owner = uuidv7();
    const ids = [uuidv7(), uuidv7(), uuidv7()];
    for (const id of ids) await insert${one}(db, { id, owner_id: owner, title: 'A title' });
    await insert${one}(db, { id: uuidv7(), owner_id: uuidv7(), title: 'Of somebody else' });
    const [first, second] = await ${camel}Of(db, owner, { limit: 2 });
    expect([first?.id, second?.id]).toEqual([ids[2], ids[1]]);
    const rest = await ${camel}Of(db, owner, { before: second?.id, limit: 2 });
    expect(rest.map((row) => row.id)).toEqual([ids[0]]);
  });

  it('takes no ${oneWords} without a title', async () => {
    const row = { id: uuidv7(), owner_id: uuidv7(), title: '' };
    await expect(insert${one}(db, row)).rejects.toThrow('check constraint');
    expect(await find${one}(db, row.id)).toBeUndefined();
  });
});
`;
