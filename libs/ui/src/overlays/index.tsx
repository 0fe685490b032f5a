/**
 * Menu and tooltip, loaded when a screen first shows one. They are in the shared package, so that the
 * component library is in the page once.
 */
import { screen } from '@karaar/i18n';
import { Suspense, useState } from 'react';
import { LoadBoundary } from '../feedback/LoadBoundary.tsx';
import { MenuButton, type MenuProps } from './MenuButton.tsx';
import type { TooltipProps } from './TooltipPanel.tsx';

const MenuPanel = screen(() => import('./MenuPanel.tsx'), []);
const TooltipPanel = screen(() => import('./TooltipPanel.tsx'), []);

/** A button that opens a list of actions. A press before the code is loaded opens the list afterwards. */
export function Menu(props: MenuProps) {
  const [pressed, setPressed] = useState(false);
  return (
    // If the code cannot be loaded, pressing the button retries.
    <LoadBoundary missing={(again) => <MenuButton {...props} onClick={again} />}>
      <Suspense fallback={<MenuButton {...props} onClick={() => setPressed(true)} />}>
        <MenuPanel {...props} opened={pressed} />
      </Suspense>
    </LoadBoundary>
  );
}

/**
 * A short text about the control inside, on hover and focus. Never the only place of necessary information.
 */
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
