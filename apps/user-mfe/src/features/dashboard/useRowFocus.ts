import type { Document } from '@karaar/contracts/documents/http';
import { useEffect, useRef } from 'react';

/**
 * Keeps the keyboard's place in the list. If the focused button goes with its row, the focus moves to the row
 * that takes its place, or to the heading of an empty list; if "Undo" brings a row back, to that row.
 */
export function useRowFocus(rows: readonly Document[]) {
  const list = useRef<HTMLDivElement>(null);
  const moving = useRef<{ id: string; at: number } | null>(null);
  const placeOf = (id: string): number => rows.findIndex(({ document_id }) => document_id === id);

  useEffect(() => {
    const sheet = list.current?.closest('section');
    if (!moving.current || !sheet) return;
    const { id, at: before } = moving.current;
    const now = placeOf(id);
    const [wasShown, isShown] = [before >= 0, now >= 0];
    if (wasShown === isShown) return;
    moving.current = null;
    const { activeElement, body } = document;
    const isFree = activeElement === body || (isShown && !sheet.contains(activeElement));
    if (!isFree) return;
    const links = sheet.querySelectorAll<HTMLElement>('.k-row-link');
    const heading = sheet.querySelector('h2');
    if (heading) heading.tabIndex = -1;
    (links[Math.min(isShown ? now : before, links.length - 1)] ?? heading)?.focus();
  });

  return { list, expect: (id: string) => void (moving.current = { id, at: placeOf(id) }) };
}
