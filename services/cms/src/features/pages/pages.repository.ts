import type { Kysely, Selectable } from 'kysely';
import type { Database, PagesTable } from '../../db/schema.ts';

export type PageRow = Selectable<PagesTable>;

export const listPages = (db: Kysely<Database>): Promise<PageRow[]> =>
  db.selectFrom('pages').selectAll().orderBy('slug').execute();

export const findPage = (db: Kysely<Database>, slug: string): Promise<PageRow | undefined> =>
  db.selectFrom('pages').selectAll().where('slug', '=', slug).executeTakeFirst();

/** Writes a page unless one of this slug is there. */
export async function insertMissingPage(
  db: Kysely<Database>,
  page: { slug: string; title: string; content: string },
): Promise<void> {
  await db
    .insertInto('pages')
    .values({ ...page })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute();
}
