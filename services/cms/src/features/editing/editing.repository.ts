import type { Tx } from '@karaar/db';
import type { Selectable } from 'kysely';
import type { Database, Db, PageDraftsTable, PageVersionsTable } from '../../db/schema.ts';
import type { PageRow, PageText } from '../pages/pages.repository.ts';

export type DraftRow = Selectable<PageDraftsTable>;
export type Editor = { id: string; name: string };
export type VersionRow = Selectable<PageVersionsTable>;

export type EditorPage = { page: PageRow; authorName: string; draft: DraftRow | undefined };

const byVersion = (db: Db) =>
  db
    .selectFrom('pages')
    .innerJoin('page_versions', (join) =>
      join
        .onRef('page_versions.slug', '=', 'pages.slug')
        .onRef('page_versions.version', '=', 'pages.version'),
    )
    .selectAll('pages')
    .select('page_versions.author_name');

async function withDrafts(db: Db, rows: (PageRow & { author_name: string })[]): Promise<EditorPage[]> {
  const drafts = await db.selectFrom('page_drafts').selectAll().execute();
  const draftOf = new Map(drafts.map((draft) => [draft.slug, draft]));
  return rows.map(({ author_name, ...page }) => ({
    page,
    authorName: author_name,
    draft: draftOf.get(page.slug),
  }));
}

export const listEditorPages = async (db: Db): Promise<EditorPage[]> =>
  withDrafts(db, await byVersion(db).orderBy('pages.slug').execute());

export async function findEditorPage(db: Db, slug: string): Promise<EditorPage | undefined> {
  const row = await byVersion(db).where('pages.slug', '=', slug).executeTakeFirst();
  return row && (await withDrafts(db, [row]))[0];
}

export const listVersions = (db: Db, slug: string): Promise<VersionRow[]> =>
  db.selectFrom('page_versions').selectAll().where('slug', '=', slug).orderBy('version', 'desc').execute();

export const findVersion = (db: Db, slug: string, version: number): Promise<VersionRow | undefined> =>
  db
    .selectFrom('page_versions')
    .selectAll()
    .where('slug', '=', slug)
    .where('version', '=', version)
    .executeTakeFirst();

export const findDraft = (db: Db, slug: string): Promise<DraftRow | undefined> =>
  db.selectFrom('page_drafts').selectAll().where('slug', '=', slug).executeTakeFirst();

export async function writeDraft(
  tx: Tx<Database>,
  draft: PageText & { slug: string; baseVersion: number; revision: number; author: Editor },
): Promise<void> {
  const { slug, title, content, baseVersion: base_version, revision, author } = draft;
  const values = {
    title,
    content,
    base_version,
    revision,
    author_id: author.id,
    author_name: author.name,
    updated_at: new Date(),
  };
  await tx
    .insertInto('page_drafts')
    .values({ slug, ...values })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(values))
    .execute();
}

export async function deleteDraft(tx: Tx<Database>, slug: string): Promise<void> {
  await tx.deleteFrom('page_drafts').where('slug', '=', slug).execute();
}
