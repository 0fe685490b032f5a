import { Icon, type IconName } from '@karaar/ui';
import { useState } from 'react';
import css from './navigation.module.css';
import { moveFocus } from './roving.ts';

export type Tool = {
  icon: IconName;
  label: string;
  onUse: () => void;
  pressed?: boolean;
  disabled?: boolean;
};

/** Small actions on one text or picture. One tab stop; arrow keys move between tools. */
export function Toolbar({ label, tools }: { label: string; tools: readonly Tool[] }) {
  const [at, setAt] = useState(0);
  return (
    <div
      role="toolbar"
      aria-label={label}
      className={css.toolbar}
      onKeyDown={(event) => {
        const to = Number(moveFocus(event)?.dataset['at']);
        if (Number.isInteger(to)) setAt(to);
      }}
    >
      {tools.map((tool, index) => (
        <button
          key={tool.label}
          type="button"
          data-at={index}
          className={css.tool}
          aria-label={tool.label}
          title={tool.label}
          aria-pressed={tool.pressed}
          disabled={tool.disabled}
          tabIndex={index === at ? 0 : -1}
          onClick={() => {
            setAt(index);
            tool.onUse();
          }}
        >
          <Icon name={tool.icon} size={18} />
        </button>
      ))}
    </div>
  );
}
