/**
 * Answers that were asked for before the app was there (apps/shell/src/start): on a slow network they come beside the
 * scripts, not after them. Each is given out once, to the call that would have asked for the same.
 */

/** What was asked for, by its address. */
type Early = Map<string, { authorization: string; at: number; response: Promise<Response> }>;

declare global {
  interface Window {
    /** Kept here as the script that asks and the app that takes are two builds. */
    karaarEarly?: Early;
  }
}

/** Milliseconds after which an answer that nobody took is asked for again. */
const FRESH_MS = 15_000;

/** Sends a user's first requests. @param urls of GET routes, with their query, as `call` writes them */
export function askEarly(urls: readonly string[], token: string): void {
  const authorization = `Bearer ${token}`;
  const early: Early = new Map();
  for (const url of urls) {
    const response = fetch(url, { headers: { accept: 'application/json', authorization } });
    // The caller that takes the answer gets the error. Without this handler, a failed answer that is not
    // taken would be reported as an unhandled rejection.
    response.catch(() => undefined);
    early.set(url, { authorization, at: Date.now(), response });
  }
  window.karaarEarly = early;
}

type EarlyRequest = { method: string; url: string; headers: Readonly<Record<string, string>> };

/**
 * The answer to a request that was asked early, by the same user and not long ago.
 * @returns undefined when there is none; otherwise what `fetch` would have returned, rejecting also when `signal` says so
 */
export function takeEarly(
  { method, url, headers }: EarlyRequest,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const early = globalThis.window?.karaarEarly;
  const found = early?.get(url);
  if (!found || method !== 'GET' || headers['if-none-match'] !== undefined) return undefined;
  early?.delete(url);
  const same = found.authorization === headers['authorization'];
  if (!same || Date.now() - found.at > FRESH_MS) return undefined;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    found.response.then(resolve, reject);
  });
}
