/** The displayed content and parties, and the changes since. */
import { ApiError } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';

export type Change = 'content' | 'parties';

/** Returns the change for which the server refused an approval; null for any other error. */
export function changeOf(error: unknown): Change | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  if (error.code === 'document_changed') return 'content';
  return error.code === 'parties_changed' ? 'parties' : null;
}

/** Hashes of the displayed content; sent with an approval. */
export type Shown = Pick<Document, 'content_hash' | 'parties_hash'>;

const FIELD = { content: 'content_hash', parties: 'parties_hash' } as const satisfies Record<
  Change,
  keyof Shown
>;

export const hashesOf = ({ content_hash, parties_hash }: Shown): Shown => ({
  ...(content_hash === undefined ? {} : { content_hash }),
  ...(parties_hash === undefined ? {} : { parties_hash }),
});

/**
 * Returns the change to read first, content before parties; null without a change.
 * @param reported a change that the server reported, and that may not be in `now` yet
 */
export function changeSince(shown: Shown, now: Shown, reported: Change | null): Change | null {
  if (shown.content_hash !== now.content_hash) return 'content';
  return reported ?? (shown.parties_hash === now.parties_hash ? null : 'parties');
}

/** Returns `shown` after the reader has seen this change only. */
export const acknowledged = (shown: Shown, now: Shown, change: Change): Shown => {
  const { [FIELD[change]]: _seen, ...others } = shown;
  const seen = now[FIELD[change]];
  return seen === undefined ? others : { ...others, [FIELD[change]]: seen };
};
