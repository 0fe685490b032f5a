import { pageEtag } from '../pages/page-etag.ts';
import type { DraftRow, EditorPage, VersionRow } from './editing.repository.ts';

const presentDraft = (draft: DraftRow) => ({
  title: draft.title,
  content: draft.content,
  base_version: draft.base_version,
  revision: draft.revision,
  author: draft.author_name,
  updated_at: draft.updated_at.toISOString(),
});

export const presentEditorPage = ({ page, authorName, draft }: EditorPage) => ({
  slug: page.slug,
  title: page.title,
  content: page.content,
  version: page.version,
  author: authorName,
  updated_at: page.updated_at.toISOString(),
  etag: pageEtag(page),
  draft: draft ? presentDraft(draft) : null,
});

export const presentVersion = (row: VersionRow) => ({
  version: row.version,
  title: row.title,
  note: row.note,
  author: row.author_name,
  created_at: row.created_at.toISOString(),
});
