import { useId, type ReactNode } from 'react';
import css from './navigation.module.css';
import { moveFocus } from './roving.ts';

export type Tab<V extends string> = { value: V; label: string; count?: number };

type TabsProps<V extends string> = {
  label: string;
  tabs: readonly Tab<V>[];
  value: V;
  onChange: (value: V) => void;
  children: ReactNode;
};

/** Tabs of one subject. Arrow keys change the tab, Tab moves into the content. */
export function Tabs<V extends string>({ label, tabs, value, onChange, children }: TabsProps<V>) {
  const id = useId();
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        className={css.tabs}
        onKeyDown={(event) => {
          const to = moveFocus(event)?.dataset['value'];
          const tab = tabs.find((one) => one.value === to);
          if (tab) onChange(tab.value);
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={css.tab}
            onClick={() => onChange(tab.value)}
          >
            <span>{tab.label}</span>
            {tab.count !== undefined && <span className={css.tabCount}>{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={css.tabPanel}>
        {children}
      </div>
    </div>
  );
}
