import type { SpooledFile } from '@karaar/platform/http-kit';

/** The one file of a field that the contract requires; its absence was answered before. */
export function sent(files: readonly SpooledFile[]): SpooledFile {
  const [file] = files;
  if (!file) throw new Error('A required file is missing although the contract was checked.');
  return file;
}
