import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, EmptyState, ErrorState, Sheet, type IconName } from '@karaar/ui';
import { TableSkeleton } from '@karaar/ui/skeletons';
import { DataTable, Pager, ToolRow, type Column } from '@karaar/ui/tables';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import css from './shared.module.css';
import { ADMIN_KEY } from './queries.ts';
import { SearchBox } from './SearchBox.tsx';
import { sharedTexts } from './texts.ts';
import type { Filters } from './useFilters.ts';

type Page<Row> = { items: Row[]; next_cursor: string | null };

type AdminListProps<Row, K extends string> = {
  /** Names the list, also to screen readers. */
  title: string;
  /** Its key below the admins' answers; the filters are added. */
  name: string;
  filters: Filters<K>;
  load: (
    query: Record<K, string> & { cursor: string; limit: number },
    signal: AbortSignal,
  ) => Promise<Page<Row>>;
  /** Names the search; a list whose filters have none goes without. */
  searchLabel?: 'search' extends K ? string : never;
  /** Beside the search: days, order, export. */
  tools?: ReactNode;
  /** Below it: chips. */
  chips?: ReactNode;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  table?: Pick<ComponentProps<typeof DataTable>, 'sorting' | 'onSort'>;
  failed: string;
  empty: { icon: IconName; title: string; text: string };
};

const PAGE = 25;

/** A list of the admins: searched, filtered, sorted and paged by the server, its state in the address. */
export function AdminList<Row, K extends string>(props: AdminListProps<Row, K>) {
  const { title, name, filters, load, searchLabel, tools, chips, columns, rowKey, table, failed, empty } =
    props;
  const t = useTexts(sharedTexts);
  const query = { ...filters.values, cursor: filters.cursor, limit: PAGE };
  const list = useQuery({
    queryKey: [ADMIN_KEY, name, query],
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.items ?? [];
  const next = list.data?.next_cursor;
  return (
    <Sheet flush>
      <div className={css.tools}>
        {searchLabel !== undefined && (
          <ToolRow
            search={
              <SearchBox
                label={searchLabel}
                value={(filters.values as Partial<Record<string, string>>)['search'] ?? ''}
                onSearch={(search) =>
                  filters.set({ search } as Partial<Record<K, string>>, {
                    replace: true,
                  })
                }
              />
            }
          >
            {tools}
          </ToolRow>
        )}
        {chips}
      </div>
      {list.isPending && <TableSkeleton label={title} />}
      {list.isError && (
        <ErrorState
          title={toastText(list.error, failed)}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {list.data && rows.length > 0 && (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          busy={list.isPlaceholderData}
          {...table}
        />
      )}
      {list.data &&
        rows.length === 0 &&
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
      {list.data && (filters.cursor !== '' || next) && (
        <div className={css.pager}>
          <Pager
            label={t('pages')}
            onPrevious={filters.cursor === '' ? undefined : filters.previous}
            onNext={next ? () => filters.next(next) : undefined}
            busy={list.isPlaceholderData}
          />
        </div>
      )}
    </Sheet>
  );
}
