import { ApiError } from './api-error.ts';
import { connection } from './connection.ts';
import { takeEarly } from './early.ts';
import type { WireRequest } from './request.ts';
import { serverClock } from './server-clock.ts';
import { unreadableFile } from './unreadable-file.ts';

/** An answer before it is judged. */
export type WireResponse = {
  status: number;
  body: unknown;
  /** Names the state that the answer shows. */ etag?: string | null;
  /** The header of that name. */
  retryAfter?: string | null;
};

export type TransportOptions = {
  signal: AbortSignal;
  binary: boolean;
  /** Told of each piece of a file as it comes or goes. */
  onPiece?: () => void;
  onProgress?: (fraction: number) => void;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON (a proxy's error page, say): there is no text in it that belongs in a toast.
    return null;
  }
};

/** Sends a request by fetch. Throws ApiError(0) when no answer came. */
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

/** The whole file, kept by the browser and not by us: an export may be long. */
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

/** Whether a request carries files: how long they take is the network's, and only an upload's progress says that they move. */
export const carriesFiles = ({ body }: WireRequest): boolean =>
  body instanceof FormData && [...body.values()].some((value) => value instanceof File);

/** Sends a request by XMLHttpRequest: the only way to see how far an upload is. */
export function sendByXhr(request: WireRequest, options: TransportOptions): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    // Its event has been, and nothing would stop the request any more.
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
