import type { RawFile } from '@karaar/contracts/documents/http';

/** Returns the form of a file to show: its rendering first, because that will be sealed. */
export function readable({
  mime,
  path,
  preview,
}: Pick<RawFile, 'mime' | 'path' | 'preview'>): { kind: 'pdf' | 'image'; path: string } | null {
  if (preview) return { kind: 'pdf', path: preview };
  if (mime === 'application/pdf') return { kind: 'pdf', path };
  return mime.startsWith('image/') ? { kind: 'image', path } : null;
}
