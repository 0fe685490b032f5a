import type { CaptureAbout } from './useLiveBinding.ts';
import type { Purpose } from './verification.ts';

/** Returns the path to continue on a phone; null while a new agreement is unsaved. */
export function phonePath(
  purpose: Purpose,
  { document_id: id, document_code: code }: CaptureAbout,
): string | null {
  if (code !== undefined) return `/join-document?code=${code}`;
  if (id === undefined) return null;
  return purpose === 'create' ? `/document/create?draft=${id}&step=sign` : `/document/${id}`;
}
