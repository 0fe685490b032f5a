/**
 * Requests that are sent before the app is loaded (apps/shell/src/start): on a slow network they run parallel
 * to the scripts. Each response is used once, by the call that would have sent the same request.
 */

/** Early requests by URL. */
type Early = Map<string, { authorization: string; at: number; response: Promise<Response> }>;

declare global {
  interface Window {
    /** On the global object, because the sending script and the app are two builds. */
    karaarEarly?: Early;
  }
}

/** Milliseconds after which an unused response is stale. */
const FRESH_MS = 15_000;

/**
 * Sends a user's first requests.
 * @param urls of GET routes, with their query, as `call` writes them
 */
export function askEarly(urls: readonly string[], token: string): void {
  const authorization = `Bearer ${token}`;
  const early: Early = new Map();
  for (const url of urls) {
    const response = fetch(url, { headers: { accept: 'application/json', authorization } });
    // The caller that takes the response gets the error. Without this handler, an unused failed response
    // would be reported as an unhandled rejection.
    response.catch(() => undefined);
    early.set(url, { authorization, at: Date.now(), response });
  }
  window.karaarEarly = early;
}

type EarlyRequest = { method: string; url: string; headers: Readonly<Record<string, string>> };

/**
 * Returns the response of a recent early request of the same user; undefined without such a request. It behaves
 * like that of `fetch`, and rejects when `signal` aborts.
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
