import type { RawFile } from '@karaar/contracts/documents/http';

/** What to show of a file: its rendering first, for that is what will be sealed. */
export function readable({
  mime,
  path,
  preview,
}: Pick<RawFile, 'mime' | 'path' | 'preview'>): { kind: 'pdf' | 'image'; path: string } | null {
  if (preview) return { kind: 'pdf', path: preview };
  if (mime === 'application/pdf') return { kind: 'pdf', path };
  return mime.startsWith('image/') ? { kind: 'image', path } : null;
}
