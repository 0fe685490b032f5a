/** Handles a page whose files were replaced by a deploy. */

const RELOADED_AT = 'reloaded_at';
/** Milliseconds between two automatic reloads of a tab, to prevent a loop. */
const QUIET_MS = 5 * 60_000;

/** Returns the URL of a script or style of a build that could not be loaded; null for another error. */
export function missingChunk(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, request } = error as { code?: unknown; request?: unknown };
  if (error.name !== 'ChunkLoadError' && code !== 'CSS_CHUNK_LOAD_FAILED') return null;
  return typeof request === 'string' ? request : '';
}

/**
 * Reloads the page once if a deploy removed a chunk: the server responds without the file. An unreachable
 * chunk is left to the reader's retry.
 * @returns true if the page reloads
 */
export async function reloadIfReplaced(error: unknown): Promise<boolean> {
  const chunk = missingChunk(error);
  // Without storage (start/storage.ts) the page would forget that it has reloaded.
  if (!chunk || document.documentElement.dataset['storage'] === 'page') return false;
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - last < QUIET_MS) return false;
  const answer = await fetch(chunk, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer?.status !== 404) return false;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
  return true;
}
