import { Sheet, type IconName } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import type { ReactNode } from 'react';
import { AdminPage } from './AdminPage.tsx';
import { ExportButton } from './ExportButton.tsx';
import { ListRows } from './ListRows.tsx';
import { ListTools, type Choice } from './ListTools.tsx';
import type { Filters } from './useFilters.ts';

export type ListPage<Row> = { items: Row[]; next_cursor: string | null };
export type ListQuery<K extends string> = Record<K, string> & { cursor: string; limit: number };

export type ListScreenProps<Row, K extends string> = {
  /** Names the screen and the list, also to screen readers. */
  title: string;
  lead?: ReactNode;
  /** Its key below the admins' answers, to which the filters are added, and the name of its export. */
  name: string;
  /** What the address holds; `from` and `to` make days, `sort` makes heads of columns to press. */
  filters: Filters<K>;
  load: (query: ListQuery<K>, signal: AbortSignal) => Promise<ListPage<Row>>;
  /** The whole list as it is filtered, as a file. */
  download?: (query: Record<K, string>) => Promise<Blob>;
  /** Names the search; a list whose filters have none goes without. */
  searchLabel?: 'search' extends K ? string : never;
  choices?: readonly Choice<NoInfer<K>>[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  failed: string;
  empty: { icon: IconName; title: string; text: string };
  /** Above the list: figures. */
  above?: ReactNode;
  /** Dialogs of its rows. */
  children?: ReactNode;
};

/** A list of the admins: searched, filtered, sorted and paged by the server, its state in the address. */
export function ListScreen<Row, K extends string>(props: ListScreenProps<Row, K>) {
  const { title, lead, name, filters, download, above, children } = props;
  return (
    <AdminPage
      title={title}
      lead={lead}
      actions={download && <ExportButton name={name} load={() => download(filters.values)} />}
    >
      {above}
      <Sheet flush>
        <ListTools filters={filters} searchLabel={props.searchLabel} choices={props.choices ?? []} />
        <ListRows {...props} />
      </Sheet>
      {children}
    </AdminPage>
  );
}
