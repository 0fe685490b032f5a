import { Skeleton } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from './skeletons.module.css';

const times = (count: number, draw: (at: number) => ReactNode) =>
  Array.from({ length: count }, (_, at) => draw(at));

type Waiting = {
  label: string;
};

/** The rows of a table; cards on a phone, like the table. */
export function TableSkeleton({
  label,
  rows = 5,
  columns = 5,
}: Waiting & { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label={label} className={css.table}>
      {times(rows, (row) => (
        <div key={row} className={css.row}>
          {times(columns, (column) => (
            <Skeleton key={column} height={column === 0 ? 20 : 16} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Numbers or tiles side by side. */
export function CardsSkeleton({
  label,
  cards = 4,
  height = 104,
}: Waiting & { cards?: number; height?: number }) {
  return (
    <div role="status" aria-label={label} className={css.cards}>
      {times(cards, (card) => (
        <Skeleton key={card} height={height} />
      ))}
    </div>
  );
}

/** People, conversations, transactions: a round picture and two lines each. */
export function ListSkeleton({ label, rows = 4 }: Waiting & { rows?: number }) {
  return (
    <div role="status" aria-label={label} className={css.list}>
      {times(rows, (row) => (
        <div key={row} className={css.person}>
          <div className={css.face}>
            <Skeleton height={44} />
          </div>
          <div className={css.lines}>
            <Skeleton lines={2} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** A detail page with a sidebar: a document. */
export function DetailSkeleton({ label }: Waiting) {
  return (
    <div role="status" aria-label={label} className={css.detail}>
      <div className={css.heading}>
        <Skeleton height={36} />
        <Skeleton height={20} />
      </div>
      <div className={css.halves}>
        <div className={css.stack}>
          <Skeleton height={28} />
          <Skeleton height={720} />
        </div>
        <div className={css.stack}>
          <Skeleton height={280} />
          <Skeleton height={180} />
        </div>
      </div>
    </div>
  );
}
