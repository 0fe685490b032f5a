import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, EmptyState, ErrorState, type IconName } from '@karaar/ui';
import { TableSkeleton } from '@karaar/ui/skeletons';
import { DataTable, Pager, type Column } from '@karaar/ui/tables';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Choice } from './ListTools.tsx';
import { ADMIN_KEY } from './queries.ts';
import { sortingOf, sortOf } from './sorting.ts';
import { sharedTexts } from './texts.ts';
import type { Filters } from './useFilters.ts';

export type ListPage<Row> = { items: Row[]; next_cursor: string | null };
export type ListQuery<K extends string> = Record<K, string> & { cursor: string; limit: number };

export type ListScreenProps<Row, K extends string> = {
  /** The name of the screen and the list, also for screen readers. */
  title: string;
  lead?: ReactNode;
  /** The query key below the admin key, to which the filters are added, and the name of its export. */
  name: string;
  /** The filters in the address; `from` and `to` add date fields, `sort` makes column headers sortable. */
  filters: Filters<K>;
  load: (query: ListQuery<K>, signal: AbortSignal) => Promise<ListPage<Row>>;
  /** Returns the whole filtered list as a file. */
  download?: (query: Record<K, string>) => Promise<Blob>;
  /** The label of the search; absent for a list without one. */
  searchLabel?: 'search' extends K ? string : never;
  choices?: readonly Choice<NoInfer<K>>[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  failed: string;
  empty: { icon: IconName; title: string; text: string };
  /** Numbers above the list. */
  above?: ReactNode;
  /** Dialogs of its rows. */
  children?: ReactNode;
};

const PAGE = 25;

/** The rows of a page, or its loading, empty or error state, and the pager. */
export function ListRows<Row, K extends string>(props: ListScreenProps<Row, K>) {
  const { title, name, filters, load, columns, rowKey, failed, empty } = props;
  const t = useTexts(sharedTexts);
  const query = { ...filters.values, cursor: filters.cursor, limit: PAGE };
  const list = useQuery({
    queryKey: [ADMIN_KEY, name, query],
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
  });
  if (list.isPending) return <TableSkeleton label={title} />;
  if (list.isError)
    return (
      <ErrorState
        title={toastText(list.error, failed)}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  const { items: rows, next_cursor: next } = list.data;
  const { sort } = filters.values as Partial<Record<string, string>>;
  return (
    <>
      {rows.length > 0 && (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          busy={list.isPlaceholderData}
          {...(sort === undefined
            ? {}
            : {
                sorting: sortingOf(sort),
                onSort: (sorting) => filters.change({ sort: sortOf(sorting) }),
              })}
        />
      )}
      {rows.length === 0 &&
        (filters.any ? (
          <EmptyState
            icon="search"
            title={t('nothingFound')}
            text={t('nothingFoundText')}
            action={<Button onClick={filters.clear}>{t('clear')}</Button>}
          />
        ) : (
          <EmptyState {...empty} />
        ))}
      {(filters.cursor !== '' || next) && (
        <Pager
          label={t('pages')}
          onPrevious={filters.cursor === '' ? undefined : filters.previous}
          onNext={next ? () => filters.next(next) : undefined}
          busy={list.isPlaceholderData}
        />
      )}
    </>
  );
}
