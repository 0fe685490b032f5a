import { ApiError } from './api-error.ts';
import { connection } from './connection.ts';
import { takeEarly } from './early.ts';
import type { WireRequest } from './request.ts';
import { serverClock } from './server-clock.ts';
import { unreadableFile } from './unreadable-file.ts';

/** A response before its status is checked. */
export type WireResponse = {
  status: number;
  body: unknown;
  etag?: string | null;
  /** The Retry-After header. */
  retryAfter?: string | null;
};

export type TransportOptions = {
  signal: AbortSignal;
  binary: boolean;
  /** Called for each piece of a file in either direction. */
  onPiece?: () => void;
  onProgress?: (fraction: number) => void;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON (for example a proxy's error page): it contains no text for a toast.
    return null;
  }
};

/**
 * Sends a request by fetch.
 * @throws ApiError with status 0 without a response
 */
export async function sendByFetch(request: WireRequest, options: TransportOptions): Promise<WireResponse> {
  const { url, ...init } = request;
  const askedAt = Date.now();
  try {
    const { signal } = options;
    const response = await (takeEarly(request, signal) ?? fetch(url, { ...init, signal }));
    connection.answered();
    serverClock.heard(response.headers.get('date'), askedAt);
    if (options.binary && response.ok)
      return { status: response.status, body: await fileOf(response, options.onPiece) };
    const body = parse(await response.text());
    const { headers } = response;
    return {
      status: response.status,
      body,
      etag: headers.get('etag'),
      retryAfter: headers.get('retry-after'),
    };
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    connection.unanswered();
    throw new ApiError(0, null);
  }
}

/** Returns the whole file as a Blob, held by the browser: an export may be long. */
function fileOf({ body, headers }: Response, onPiece: (() => void) | undefined): Promise<Blob> {
  const watched = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, out) => {
        onPiece?.();
        out.enqueue(piece);
      },
    }),
  );
  return new Response(watched ?? null, { headers }).blob();
}

/**
 * Returns true if a request has files: their duration depends on the network, and only upload progress shows
 * that they move.
 */
export const carriesFiles = ({ body }: WireRequest): boolean =>
  body instanceof FormData && [...body.values()].some((value) => value instanceof File);

/** Sends a request by XMLHttpRequest, which alone reports upload progress. */
export function sendByXhr(request: WireRequest, options: TransportOptions): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    // The abort event has already fired, so nothing else would stop the request.
    if (options.signal.aborted) return reject(new ApiError(0, null));
    const askedAt = Date.now();
    const xhr = new XMLHttpRequest();
    xhr.open(request.method, request.url);
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', (event) => {
      options.onPiece?.();
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    });
    xhr.addEventListener('load', () => {
      connection.answered();
      serverClock.heard(xhr.getResponseHeader('date'), askedAt);
      const retryAfter = xhr.getResponseHeader('retry-after');
      resolve({ status: xhr.status, body: parse(xhr.responseText), retryAfter });
    });
    xhr.addEventListener('error', () => {
      void unreadableFile(request.body).then((unreadable) => {
        if (!unreadable) connection.unanswered();
        reject(unreadable ?? new ApiError(0, null));
      });
    });
    xhr.addEventListener('abort', () => reject(new ApiError(0, null)));
    options.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(request.body ?? null);
  });
}
