import type { ReactNode } from 'react';
import css from './tables.module.css';

/** Above a list: the search takes the width, filters and actions are next to it and wrap below on a phone. */
export function ToolRow({ search, children }: { search?: ReactNode; children?: ReactNode }) {
  return (
    <div className={css.tools}>
      {search && <div className={css.toolsSearch}>{search}</div>}
      {children && <div className={css.toolsRest}>{children}</div>}
    </div>
  );
}
