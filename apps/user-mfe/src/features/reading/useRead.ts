import { ApiError } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useState } from 'react';

/** Did the server refuse the approval because the document has changed since it was displayed? */
export const isChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.code === 'document_changed';

export type Read = {
  /** Of what is displayed and was read; sent with an approval. */
  content_hash: string | undefined;
  /** What is displayed is not what was displayed before: it waits to be read again. */
  changed: boolean;
  /** The server knows of a change that is not displayed yet. */
  tell: () => void;
  /** The reader has read it again. */
  again: () => void;
};

/**
 * Remembers which content was put before the reader. A document is fetched again while it is read: when other content
 * comes, it is approved only after the reader has said that it was read again.
 *
 * @param toldBefore an approval of this reader was refused for a change already
 */
export function useRead({ content_hash }: Pick<Document, 'content_hash'>, toldBefore = false): Read {
  const [shown, setShown] = useState(content_hash);
  const [told, setTold] = useState(toldBefore);
  return {
    content_hash,
    changed: told || content_hash !== shown,
    tell: () => setTold(true),
    again: () => {
      setTold(false);
      setShown(content_hash);
    },
  };
}
