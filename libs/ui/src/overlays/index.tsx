/**
 * Menu and tooltip, fetched when a screen first shows one. They live in the shared design system, so that the
 * component library behind them is in the page once.
 */
import { screen } from '@karaar/i18n';
import { Suspense, useState } from 'react';
import { LoadBoundary } from '../feedback/LoadBoundary.tsx';
import { MenuButton, type MenuProps } from './MenuButton.tsx';
import type { TooltipProps } from './TooltipPanel.tsx';

const MenuPanel = screen(() => import('./MenuPanel.tsx'), []);
const TooltipPanel = screen(() => import('./TooltipPanel.tsx'), []);

/** A button that opens a list of actions. A press before the list's code is there opens the list when it has come. */
export function Menu(props: MenuProps) {
  const [pressed, setPressed] = useState(false);
  return (
    // Where the code cannot be had, pressing the button asks for it again.
    <LoadBoundary missing={(again) => <MenuButton {...props} onClick={again} />}>
      <Suspense fallback={<MenuButton {...props} onClick={() => setPressed(true)} />}>
        <MenuPanel {...props} opened={pressed} />
      </Suspense>
    </LoadBoundary>
  );
}

/** A few words about the control inside, on hover and focus. Never the only place of something needed. */
export function Tooltip(props: TooltipProps) {
  return (
    <LoadBoundary missing={() => props.children}>
      <Suspense fallback={props.children}>
        <TooltipPanel {...props} />
      </Suspense>
    </LoadBoundary>
  );
}

export type { MenuItem, MenuProps } from './MenuButton.tsx';
