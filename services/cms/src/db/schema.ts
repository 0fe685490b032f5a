/** The cms database as kysely sees it; the migrations are its source. */
import type { ColumnType, Generated, Kysely } from 'kysely';

type Now = ColumnType<Date, never, never>;

/** What readers see: the newest version of each page. */
export type PagesTable = {
  slug: string;
  title: string;
  /** Markdown. */
  content: string;
  version: Generated<number>;
  updated_at: ColumnType<Date, never, Date>;
};

export type PageVersionsTable = {
  slug: string;
  version: number;
  title: string;
  content: string;
  note: string;
  /** Null for the text that came with the product. */
  author_id: string | null;
  /** As it was then; empty for the text that came with the product. */
  author_name: string;
  created_at: Now;
};

export type PageDraftsTable = {
  slug: string;
  title: string;
  content: string;
  base_version: number;
  revision: number;
  author_id: string;
  author_name: string;
  updated_at: ColumnType<Date, never, Date>;
};

export type Database = {
  pages: PagesTable;
  page_versions: PageVersionsTable;
  page_drafts: PageDraftsTable;
};

/** The service's database, or a transaction on it. */
export type Db = Kysely<Database>;
