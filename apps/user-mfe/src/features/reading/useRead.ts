import type { Document } from '@karaar/contracts/documents/http';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import { acknowledged, changeSince, hashesOf, type Change, type Shown } from './changes.ts';

export type Read = {
  shown: Shown;
  /** What is displayed is not what was displayed before: it waits to be read again. */
  changed: Change | null;
  /** The server knows of a change that is not displayed yet. */
  tell: (change: Change) => void;
  /** The reader has seen what `changed` names; another change still waits. */
  again: () => void;
};

/**
 * Remembers which content and parties were put before the reader. A document is fetched again while it is read: when that brings
 * other content or parties, the reader confirms them before approving, one after the other. The creator changes the parties, and
 * so is not asked about them.
 *
 * @param toldBefore an approval of this reader was refused for a change already
 */
export function useRead(document: Document, toldBefore: Change | null = null): Read {
  const { user_id } = useUser();
  const now = hashesOf(document);
  const [read, setRead] = useState(now);
  const [told, setTold] = useState(toldBefore);
  const isAsked = document.primary_user !== user_id && document.status !== 'finalized';
  const shown = isAsked ? read : acknowledged(read, now, 'parties');
  const changed = changeSince(shown, now, told);
  return {
    shown,
    changed,
    tell: setTold,
    again: () => {
      if (changed) setRead(acknowledged(read, now, changed));
      if (told === changed) setTold(null);
    },
  };
}
