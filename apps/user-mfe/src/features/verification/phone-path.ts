import type { CaptureAbout } from './useLiveBinding.ts';
import type { Purpose } from './verification.ts';

/** Where a phone goes on; null while a new agreement is not saved anywhere yet. */
export function phonePath(
  purpose: Purpose,
  { document_id: id, document_code: code }: CaptureAbout,
): string | null {
  if (code !== undefined) return `/join-document?code=${code}`;
  if (id === undefined) return null;
  return purpose === 'create' ? `/document/create?draft=${id}&step=sign` : `/document/${id}`;
}
