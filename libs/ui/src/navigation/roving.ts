import type { KeyboardEvent } from 'react';

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/**
 * Moves the focus by arrow keys within a group that is one tab stop (WAI-ARIA tabs and toolbar).
 * @returns the focused button, or null for another key
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): HTMLElement | null {
  const move = moves[event.key];
  if (!move) return null;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const at = all.findIndex((one) => one === event.target);
  if (at < 0) return null;
  event.preventDefault();
  const next = all[move(at, all.length)] ?? null;
  next?.focus();
  return next;
}
