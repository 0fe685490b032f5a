/** Publishes versions and keeps drafts. Two editors never overwrite each other's text unnoticed. */
import { adminActs } from '@karaar/contracts/admin';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { pageChanged, pageNotFound, slugTaken, versionNotFound } from '../pages/pages.errors.ts';
import {
  insertMissingPage,
  lockPage,
  publishVersion,
  type PageRow,
  type PageText,
} from '../pages/pages.repository.ts';
import {
  deleteDraft,
  findDraft,
  findEditorPage,
  findVersion,
  listEditorPages,
  listVersions,
  writeDraft,
  type Editor,
  type EditorPage,
  type VersionRow,
} from './editing.repository.ts';

/** The name is stored with the text, because an admin can be renamed later. */
async function editorOf(ctx: Context, id: string): Promise<Editor> {
  const { admin } = await ctx.bus.request(authRpc.findAdmin, { admin_id: id });
  return { id, name: admin?.username ?? '' };
}

export type { EditorPage };

const recordPublished = (
  ctx: Context,
  tx: Tx<Database>,
  adminId: string,
  page: PageRow,
  reason: string,
): Promise<void> =>
  recordAct(ctx.outbox, tx, adminActs.cms, {
    adminId,
    action: 'page.published',
    targetId: page.slug,
    target: `${page.slug}, version ${page.version}`,
    reason,
  });

export const editorPages = (ctx: Context): Promise<EditorPage[]> => listEditorPages(ctx.db);

/** Returns a page with its draft. Throws 404 for an unknown slug. */
export async function editorPage(ctx: Context, slug: string): Promise<EditorPage> {
  const page = await findEditorPage(ctx.db, slug);
  if (!page) throw pageNotFound();
  return page;
}

/** Publishes a new page. Throws 409 if the slug is taken. */
export async function createPage(
  ctx: Context,
  adminId: string,
  page: PageText & { slug: string },
): Promise<EditorPage> {
  const author = await editorOf(ctx, adminId);
  await inTransaction(ctx.db, async (tx) => {
    const made = await insertMissingPage(tx, page, { author, note: '' });
    if (!made) throw slugTaken();
    await recordPublished(ctx, tx, adminId, made, '');
  });
  ctx.outbox.wake();
  return editorPage(ctx, page.slug);
}

/**
 * Publishes the next version and drops the draft.
 * @param isCurrent returns true if the stored version is the one that the editor began from
 * @throws 404 for an unknown slug, 412 if `isCurrent` returns false
 */
export async function savePage(
  ctx: Context,
  adminId: string,
  change: PageText & { slug: string; note: string; isCurrent: (version: number) => boolean },
): Promise<EditorPage> {
  const { slug, title, content, note, isCurrent } = change;
  const author = await editorOf(ctx, adminId);
  await inTransaction(ctx.db, async (tx) => {
    const page = await lockPage(tx, slug);
    if (!page) throw pageNotFound();
    if (!isCurrent(page.version)) throw pageChanged();
    const published = await publishVersion(tx, slug, { title, content }, { author, note });
    await recordPublished(ctx, tx, adminId, published, note);
    await deleteDraft(tx, slug);
  });
  ctx.outbox.wake();
  return editorPage(ctx, slug);
}

/**
 * Stores a draft.
 * @throws 404 for an unknown slug, 412 if the stored draft has another revision than `revision` (0: no draft)
 */
export async function saveDraft(
  ctx: Context,
  adminId: string,
  draft: PageText & { slug: string; revision: number },
): Promise<EditorPage> {
  const { slug, title, content, revision } = draft;
  const author = await editorOf(ctx, adminId);
  await inTransaction(ctx.db, async (tx) => {
    const page = await lockPage(tx, slug);
    if (!page) throw pageNotFound();
    const there = await findDraft(tx, slug);
    if ((there?.revision ?? 0) !== revision) throw pageChanged();
    await writeDraft(tx, {
      slug,
      title,
      content,
      author,
      baseVersion: there?.base_version ?? page.version,
      revision: revision + 1,
    });
  });
  return editorPage(ctx, slug);
}

/** Deletes the draft of a page, if the page has a draft. Throws 404 for an unknown slug. */
export async function dropDraft(ctx: Context, slug: string): Promise<EditorPage> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockPage(tx, slug))) throw pageNotFound();
    await deleteDraft(tx, slug);
  });
  return editorPage(ctx, slug);
}

/** Returns the versions of a page, newest first. Throws 404 for an unknown slug. */
export async function versionsOf(ctx: Context, slug: string): Promise<VersionRow[]> {
  const versions = await listVersions(ctx.db, slug);
  if (versions.length === 0) throw pageNotFound();
  return versions;
}

/** Returns a version with its text. Throws 404 for an unknown slug or version. */
export async function versionOf(ctx: Context, slug: string, version: number): Promise<VersionRow> {
  const row = await findVersion(ctx.db, slug, version);
  if (!row) throw versionNotFound();
  return row;
}
