/** Milliseconds after which an object URL is revoked (spec §9). */
const REVOKE_MS = 10_000;

/** Downloads a file that was fetched with the token. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = addressOf(file);
  link.download = name;
  link.click();
}

/** Opens a file that was fetched with the token in a new tab. */
export function openFile(file: Blob): void {
  window.open(addressOf(file), '_blank', 'noopener');
}

function addressOf(file: Blob): string {
  const url = URL.createObjectURL(file);
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
  return url;
}
