import { ApiError } from './api-error.ts';
import { fetchWords } from './errors/words.ts';
import { patienceOf } from './patience.ts';
import { buildRequest } from './request.ts';
import { ADMIN_SESSION_ENDED, SESSION_ENDED, sessionStore } from './session-storage.ts';
import { carriesFiles, sendByFetch, sendByXhr, type WireResponse } from './transport.ts';
import type { Answer, CallOptions, Input, RouteLike } from './types.ts';

/** The default timeout of a request in milliseconds; slightly above the gateway's timeout. */
const DEFAULT_TIMEOUT_MS = 20_000;

type Args<R extends RouteLike> =
  Record<never, never> extends Input<R>
    ? [input?: Input<R>, options?: CallOptions]
    : [input: Input<R>, options?: CallOptions];

/**
 * Calls a route of a contract and returns its typed response. Takes the user's token from local storage (the
 * admin's for admin routes). A 401 on a user route clears the session and fires {@link SESSION_ENDED}, on an
 * admin route the admin's and {@link ADMIN_SESSION_ENDED}.
 * @throws ApiError for every response except 2xx
 */
export async function call<R extends RouteLike>(
  route: R,
  ...[input, options = {}]: Args<R>
): Promise<Answer<R>> {
  return (await exchange(route, (input ?? {}) as object, options)).body as Answer<R>;
}

/** A changed response with its ETag; null if the caller's version is still current. */
export type Changed<R extends RouteLike> = { answer: Answer<R>; etag: string | null } | null;

/** {@link call} for polling: the server responds with 304 if nothing has changed since `etag`. */
export async function callIfChanged<R extends RouteLike>(
  route: R,
  input: Input<R>,
  options: CallOptions & { etag: string | null },
): Promise<Changed<R>> {
  const { status, body, etag } = await exchange(route, input as object, options);
  return status === 304 ? null : { answer: body as Answer<R>, etag: etag ?? null };
}

async function exchange(
  route: RouteLike,
  input: object,
  options: CallOptions & { etag?: string | null },
): Promise<WireResponse> {
  const token = route.access === 'admin' ? sessionStore.adminToken() : sessionStore.token();
  const request = buildRequest(route, input, token, options);
  if (options.etag) request.headers['if-none-match'] = options.etag;
  const patience = patienceOf((route.timeoutMs ?? DEFAULT_TIMEOUT_MS) + 2_000);
  const send = options.onProgress || carriesFiles(request) ? sendByXhr : sendByFetch;
  const response = await send(request, {
    signal: options.signal ? AbortSignal.any([options.signal, patience.signal]) : patience.signal,
    binary: isBinary(route),
    onPiece: patience.renew,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  }).finally(patience.end);
  if ((response.status >= 200 && response.status < 300) || response.status === 304) return response;
  if (response.status === 401 && route.access !== 'public') endSession(route.access, token);
  await fetchWords(response.body);
  throw new ApiError(response.status, response.body, response.retryAfter);
}

const isBinary = (route: RouteLike): boolean => route.response?.[200] === 'binary';

/** A late 401 of an earlier session must not end a newer one. */
function endSession(access: 'user' | 'admin', token: string | null): void {
  if (access === 'admin') {
    if (sessionStore.adminToken() !== token) return;
    sessionStore.clearAdmin();
    window.dispatchEvent(new Event(ADMIN_SESSION_ENDED));
    return;
  }
  if (sessionStore.token() !== token) return;
  sessionStore.clear();
  window.dispatchEvent(new Event(SESSION_ENDED));
}
