import type { Document } from '@karaar/contracts/documents/http';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import { acknowledged, changeSince, hashesOf, type Change, type Shown } from './changes.ts';

export type Read = {
  shown: Shown;
  /** The displayed document differs from the one read before, and must be read again. */
  changed: Change | null;
  /** Reports a change that the server knows and the page does not show yet. */
  reportChange: (change: Change) => void;
  /** Confirms the change in `changed`; another change may still wait. */
  again: () => void;
};

/**
 * Remembers the content and parties that the reader saw. The document is refetched during reading: the reader
 * confirms other content or parties before approving, one after the other. The creator changes the parties,
 * and so is not asked about them.
 * @param refusedChange a change for which an approval of this reader was refused
 */
export function useRead(document: Document, refusedChange: Change | null = null): Read {
  const { user_id } = useUser();
  const now = hashesOf(document);
  const [read, setRead] = useState(now);
  const [reported, setReported] = useState(refusedChange);
  const isAsked = document.primary_user !== user_id && document.status !== 'finalized';
  const shown = isAsked ? read : acknowledged(read, now, 'parties');
  const changed = changeSince(shown, now, reported);
  return {
    shown,
    changed,
    reportChange: setReported,
    again: () => {
      if (changed) setRead(acknowledged(read, now, changed));
      if (reported === changed) setReported(null);
    },
  };
}
