import type { ColumnType, Generated, Kysely } from 'kysely';

type Now = ColumnType<Date, never, never>;

/** The newest version of each page, which readers see. */
export type PagesTable = {
  slug: string;
  title: string;
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
  /** The author's name at that time; empty for the text that came with the product. */
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

export type Db = Kysely<Database>;
