/**
 * Menu and tooltip, fetched when a screen first shows one. They live in the shared design system, so that the
 * component library behind them is in the page once.
 */
import { createElement, lazy, Suspense } from 'react';
import { MenuButton, type MenuProps } from './MenuButton.tsx';
import type { TooltipProps } from './TooltipPanel.tsx';

const MenuPanel = lazy(() => import('./MenuPanel.tsx'));
const TooltipPanel = lazy(() => import('./TooltipPanel.tsx'));

/** A button that opens a list of actions. Until the list's code is there, the button alone. */
export const Menu = (props: MenuProps) =>
  createElement(Suspense, { fallback: createElement(MenuButton, props) }, createElement(MenuPanel, props));

/** A few words about the control inside, on hover and focus. Never the only place of something needed. */
export const Tooltip = (props: TooltipProps) =>
  createElement(Suspense, { fallback: props.children }, createElement(TooltipPanel, props));

export type { MenuItem, MenuProps } from './MenuButton.tsx';
