import type { Tx } from '@karaar/db';
import type { Selectable } from 'kysely';
import type { Database, Db, PagesTable } from '../../db/schema.ts';

export type PageRow = Selectable<PagesTable>;
export type PageText = { title: string; content: string };
/** The author of a page. The id is null for the text that came with the product. */
export type Author = { id: string | null; name: string };
export type Authorship = { author: Author; note: string };

export const listPages = (db: Db): Promise<PageRow[]> =>
  db.selectFrom('pages').selectAll().orderBy('slug').execute();

export const findPage = (db: Db, slug: string): Promise<PageRow | undefined> =>
  db.selectFrom('pages').selectAll().where('slug', '=', slug).executeTakeFirst();

export const findPages = (db: Db, slugs: readonly string[]): Promise<PageRow[]> =>
  db.selectFrom('pages').selectAll().where('slug', 'in', slugs).execute();

/** Locks a page until the transaction ends, so that two editors save one after the other. */
export const lockPage = (tx: Tx<Database>, slug: string): Promise<PageRow | undefined> =>
  tx.selectFrom('pages').selectAll().where('slug', '=', slug).forUpdate().executeTakeFirst();

/** Inserts a page and its first version. Returns undefined if the slug is taken. */
export async function insertMissingPage(
  tx: Tx<Database>,
  page: PageText & { slug: string },
  by: Authorship,
): Promise<PageRow | undefined> {
  const row = await tx
    .insertInto('pages')
    .values({ slug: page.slug, title: page.title, content: page.content })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) await keepVersion(tx, row, by);
  return row;
}

export async function publishVersion(
  tx: Tx<Database>,
  slug: string,
  text: PageText,
  by: Authorship,
): Promise<PageRow> {
  const row = await tx
    .updateTable('pages')
    .set((eb) => ({
      title: text.title,
      content: text.content,
      version: eb('version', '+', 1),
      updated_at: new Date(),
    }))
    .where('slug', '=', slug)
    .returningAll()
    .executeTakeFirstOrThrow();
  await keepVersion(tx, row, by);
  return row;
}

async function keepVersion(tx: Tx<Database>, page: PageRow, { author, note }: Authorship): Promise<void> {
  const { slug, version, title, content } = page;
  await tx
    .insertInto('page_versions')
    .values({ slug, version, title, content, note, author_id: author.id, author_name: author.name })
    .execute();
}
