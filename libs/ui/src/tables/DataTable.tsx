import { Icon } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from './tables.module.css';

export type Sorting = { key: string; descending: boolean };

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers at the end, so that their digits match. */
  align?: 'end';
  /** The title of the row: a row header, and the heading of its card on a phone. One per table. */
  title?: boolean;
  /** Buttons: at the bottom of the card over its whole width, without a header. */
  actions?: boolean;
  sortable?: boolean;
};

type DataTableProps<Row> = {
  /** The caption, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** New rows are loading: the old ones stay, dimmed. */
  busy?: boolean;
};

/**
 * A table on wide windows, and a list of cards on narrow ones, from the same elements. Explicit roles,
 * because browsers drop a table's semantics when its display changes.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sorting, onSort, busy } = props;
  return (
    <div className={css.tableBox} aria-busy={busy || undefined}>
      <table className={css.table} role="table">
        <caption className="k-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.key} column={column}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HeadProps<Row> = {
  column: Column<Row>;
  sorting: Sorting | undefined;
  onSort: ((sorting: Sorting) => void) | undefined;
};

function Head<Row>({ column, sorting, onSort }: HeadProps<Row>) {
  const here = sorting?.key === column.key ? sorting : null;
  const order = here && (here.descending ? 'descending' : 'ascending');
  return (
    <th scope="col" role="columnheader" data-align={column.align} aria-sort={order ?? undefined}>
      {column.sortable && onSort ? (
        <button
          type="button"
          className={css.sort}
          onClick={() => onSort({ key: column.key, descending: here ? !here.descending : false })}
        >
          <span>{column.header}</span>
          <span className={css.sortIcon} data-order={order ?? undefined}>
            <Icon name={order ? 'down' : 'sort'} size={16} />
          </span>
        </button>
      ) : (
        <span className={column.actions ? 'k-hidden' : undefined}>{column.header}</span>
      )}
    </th>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  if (column.title)
    return (
      <th scope="row" role="rowheader" className={css.titleCell}>
        {children}
      </th>
    );
  return (
    <td
      role="cell"
      data-align={column.align}
      data-label={column.actions ? undefined : column.header}
      className={column.actions ? css.actionsCell : undefined}
    >
      {children}
    </td>
  );
}
