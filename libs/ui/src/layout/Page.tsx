import type { CSSProperties, ReactNode } from 'react';
import css from './layout.module.css';

type PageProps = {
  title: string;
  lead?: ReactNode;
  /** The view's actions; one of them primary. */
  actions?: ReactNode;
  /** Next to the title, for example a stamp. */
  mark?: ReactNode;
  /** A narrow page has one column for reading or a form. */
  narrow?: boolean;
  children: ReactNode;
};

/** A screen: its heading, its actions and its content. */
export function Page({ title, lead, actions, mark, narrow = false, children }: PageProps) {
  return (
    <div className={css.pageBody} data-narrow={narrow || undefined}>
      <header className={css.pageHead}>
        <div className={css.pageTitles}>
          <div className={css.pageTitleLine}>
            <h1>{title}</h1>
            {mark}
          </div>
          {lead && <div className={css.lead}>{lead}</div>}
        </div>
        {actions && <div className={css.pageActions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

const gapStyle = (gap: number) => ({ '--gap': `${gap * 8}px` }) as CSSProperties;

/** Stacks its children; `gap` in steps of 8 pixels. */
export function Stack({ gap = 2, children }: { gap?: number; children: ReactNode }) {
  return (
    <div className={css.stack} style={gapStyle(gap)}>
      {children}
    </div>
  );
}

/** Puts its children side by side and wraps them. */
export function Row({
  gap = 1,
  align = 'center',
  justify = 'flex-start',
  children,
}: {
  gap?: number;
  align?: string;
  justify?: string;
  children: ReactNode;
}) {
  return (
    <div className={css.row} style={{ ...gapStyle(gap), alignItems: align, justifyContent: justify }}>
      {children}
    </div>
  );
}

/** Equal columns of at least `min` pixels. */
export function Columns({
  min = 240,
  gap = 2,
  children,
}: {
  min?: number;
  gap?: number;
  children: ReactNode;
}) {
  return (
    <div className={css.columns} style={{ ...gapStyle(gap), '--min': `${min}px` } as CSSProperties}>
      {children}
    </div>
  );
}

type WithAsideProps = {
  /** The first card of the sidebar; on phones it comes before the content. */
  first: ReactNode;
  /** The rest of the sidebar; on phones it comes after the content. */
  aside: ReactNode;
  children: ReactNode;
};

/** Content with a sidebar on wide screens. */
export function WithAside({ first, aside, children }: WithAsideProps) {
  return (
    <div className={css.withAside}>
      <div className={css.first}>{first}</div>
      <div className={css.content}>{children}</div>
      <aside className={css.aside}>{aside}</aside>
    </div>
  );
}
