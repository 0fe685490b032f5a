import { ApiError } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';

export type Change = 'content' | 'parties';

/** What has changed since it was displayed, when the server refused an approval for that; null for any other error. */
export function changeOf(error: unknown): Change | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  if (error.code === 'document_changed') return 'content';
  return error.code === 'parties_changed' ? 'parties' : null;
}

/** Hashes of what was put before the reader; sent with an approval. */
export type Shown = Pick<Document, 'content_hash' | 'parties_hash'>;

const hashesOf = ({ content_hash, parties_hash }: Document): Shown => ({
  ...(content_hash === undefined ? {} : { content_hash }),
  ...(parties_hash === undefined ? {} : { parties_hash }),
});

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
  const { parties_hash } = isAsked ? read : now;
  const shown = { ...read, ...(parties_hash === undefined ? {} : { parties_hash }) };
  const differs = (of: keyof Shown) => shown[of] !== now[of];
  const changed = differs('content_hash')
    ? 'content'
    : (told ?? (differs('parties_hash') ? 'parties' : null));
  return {
    shown,
    changed,
    tell: setTold,
    again: () => {
      const { content_hash, parties_hash } = now;
      if (changed === 'content')
        setRead({ ...read, ...(content_hash === undefined ? {} : { content_hash }) });
      if (changed === 'parties')
        setRead({ ...read, ...(parties_hash === undefined ? {} : { parties_hash }) });
      if (told === changed) setTold(null);
    },
  };
}
