import { useId, type ReactNode } from 'react';
import css from './data.module.css';

type SheetProps = {
  title?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  /** No padding around the content (tables, lists). */
  flush?: boolean;
  children: ReactNode;
};

/** A white sheet: one subject, with its title as a heading of the region. */
export function Sheet({ title, note, actions, flush = false, children }: SheetProps) {
  const id = useId();
  return (
    <section className={css.sheet} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className={css.sheetHead}>
          <div className={css.sheetTitles}>
            <h2 id={id}>{title}</h2>
            {note && <p className={css.sheetNote}>{note}</p>}
          </div>
          {actions && <div className={css.sheetActions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? css.sheetFlush : css.sheetBody}>{children}</div>
    </section>
  );
}

/** Names and values. Entries without a value are left out. */
export function Facts({ entries }: { entries: readonly (readonly [name: string, value: ReactNode])[] }) {
  const shown = entries.filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return (
    <dl className={css.facts}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
