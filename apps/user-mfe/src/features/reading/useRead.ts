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
  /** The reader has read it again. */
  again: () => void;
};

/**
 * Remembers which content and parties were put before the reader. A document is fetched again while it is read: when
 * others come, it is approved only after the reader has said so. The creator adds and removes parties, and is not asked
 * for them.
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
  return {
    shown,
    changed: told ?? (differs('content_hash') ? 'content' : differs('parties_hash') ? 'parties' : null),
    tell: setTold,
    again: () => {
      setTold(null);
      setRead(now);
    },
  };
}
