/** The cms database as kysely sees it; the migrations are its source. */
import type { ColumnType, Generated } from 'kysely';

export type PagesTable = {
  slug: string;
  title: string;
  /** Markdown. */
  content: string;
  version: Generated<number>;
  updated_at: ColumnType<Date, never, Date>;
};

export type Database = { pages: PagesTable };
