/** What a page does whose files a deploy has replaced while it was open. */

const RELOADED_AT = 'reloaded_at';
/** Milliseconds in which a tab reloads by itself at most once: whatever is wrong, it never goes in circles. */
const QUIET_MS = 5 * 60_000;

/** The address of a script or style of a build that could not be loaded, or null when the error is another one. */
export function missingChunk(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, request } = error as { code?: unknown; request?: unknown };
  if (error.name !== 'ChunkLoadError' && code !== 'CSS_CHUNK_LOAD_FAILED') return null;
  return typeof request === 'string' ? request : '';
}

/**
 * Reloads the page once when a chunk is gone for good: its server answers, but has no such file any more, as hashed
 * names change with each deploy. A chunk that could not be reached is left to the reader's own retry.
 * @returns true when the page is being reloaded
 */
export async function reloadIfReplaced(error: unknown): Promise<boolean> {
  const chunk = missingChunk(error);
  if (!chunk) return false;
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < QUIET_MS) return false;
  const answer = await fetch(chunk, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer?.status !== 404) return false;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
  return true;
}
