import { Tooltip as BaseTooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.css';
import type { ReactElement } from 'react';
import { Library } from '../library/Library.tsx';
import css from './overlays.module.css';

export type TooltipProps = { text: string; children: ReactElement };

/** A text above a control, also on keyboard focus; announced as its description. */
export default function TooltipPanel({ text, children }: TooltipProps) {
  return (
    <Library>
      <BaseTooltip
        label={text}
        events={{ hover: true, focus: true, touch: true }}
        openDelay={300}
        multiline
        classNames={{ tooltip: css.tip }}
        transitionProps={{ transition: 'fade', duration: 120 }}
      >
        {children}
      </BaseTooltip>
    </Library>
  );
}
