/** Milliseconds after which an address of a file in memory is given back (spec §9). */
export const REVOKE_MS = 10_000;

/** Hands a file that was fetched with the token to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}
