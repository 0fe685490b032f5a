/**
 * Errors that a caller may see. All other errors are internal: they are logged, and the caller gets a text
 * without details.
 *
 * Wire shape (spec §8): `{detail, code}`; `detail` is a text, or a list of `{loc, msg}` for validation.
 */
import { isNativeError } from 'node:util/types';

/** One invalid input: its location (`page_details.0.page_no`) and the problem, to be read as "loc: msg". */
export type Fault = {
  loc: string;
  msg: string;
  /** The name of the faulty uploaded file, if the field has several. */
  file?: string;
};
export type Detail = string | Fault[];
export type WireBody = { detail: Detail; code: string };
export type Wire = { status: number; body: WireBody; headers: Record<string, string> };

/**
 * An error whose status, code and detail are meant for the caller. `code` is stable, `detail` is for people.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: Detail;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    detail: Detail,
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(typeof detail === 'string' ? detail : detail.map((f) => `${f.loc}: ${f.msg}`).join('; '), {
      cause: options.cause,
    });
    this.name = 'AppError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.headers = options.headers ?? {};
  }
}

/** 400: the request is malformed. */
export const badRequest = (code: string, detail: Detail) => new AppError(400, code, detail);
/** 401: missing or ended session. */
export const unauthorized = (code: string, detail: Detail) =>
  new AppError(401, code, detail, { headers: { 'www-authenticate': 'Bearer' } });
/** 403: authenticated, but not allowed. */
export const forbidden = (code: string, detail: Detail) => new AppError(403, code, detail);
/** 404: does not exist, or is hidden from the caller. */
export const notFound = (code: string, detail: Detail) => new AppError(404, code, detail);
/** 409: the state of the resource does not allow it. */
export const conflict = (code: string, detail: Detail) => new AppError(409, code, detail);
/** 413: more bytes than the contract allows. */
export const payloadTooLarge = (code: string, detail: Detail) => new AppError(413, code, detail);
/** 415: a body type that the route does not accept. */
export const unsupportedMedia = (code: string, detail: Detail) => new AppError(415, code, detail);
/** 422: well-formed, but not valid. */
export const unprocessable = (code: string, detail: Detail) => new AppError(422, code, detail);
/** 422 with a list of faults, code `validation`. */
export const invalid = (faults: Fault[]) => unprocessable('validation', faults);
/** 429 with `Retry-After` in whole seconds. */
export const tooManyRequests = (detail: string, retryAfterS: number, code = 'too_many_requests') =>
  new AppError(429, code, detail, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) },
  });
/** 503: a dependency does not answer now; the same call may succeed later. */
export const unavailable = (code: string, detail: Detail, cause?: unknown) =>
  new AppError(503, code, detail, { cause });

const INTERNAL: WireBody = { detail: 'Something went wrong. Please try again.', code: 'internal' };
const UNAVAILABLE: WireBody = {
  detail: 'This part of Karaar is not available right now. Please try again in a moment.',
  code: 'unavailable',
};

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOSPC',
  // Postgres: shutting down, crashed, starting up, out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // Postgres: statement or lock timeout, or idle in transaction for too long.
  '57014',
  '55P03',
  '25P03',
]);
/** Messages of pg and ioredis errors without a code, after the other side closed the connection. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Connection is closed|Command timed out|timeout exceeded when trying to connect|Query read timeout|Reached the max retries per request limit|Stream isn't writeable)/;

/** Returns true if the error means that a backing service does not answer, rather than a bug. */
export function isConnectionError(err: unknown): boolean {
  // Not instanceof: one of Node's own errors may come from another realm (under Jest it does).
  if (!isNativeError(err)) return false;
  const code = 'code' in err && typeof err.code === 'string' ? err.code : '';
  if (CONNECTION_CODES.has(code) || /^08[0-9A-Z]{3}$/.test(code)) return true;
  if (CONNECTION_MESSAGES.test(err.message)) return true;
  if ('errors' in err && Array.isArray(err.errors) && err.errors.some(isConnectionError)) return true;
  return err.cause !== undefined && isConnectionError(err.cause);
}

const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns true if the connection failed before the request was sent, so that it had no effect. */
export const neverLeft = (error: unknown): boolean => codesOf(error).some((code) => NEVER_LEFT.has(code));

/** Returns the codes of an error and its causes: a host with two addresses fails with one error for each. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const code: unknown = Reflect.get(error, 'code');
  const inner: unknown = Reflect.get(error, 'errors');
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...(Array.isArray(inner) ? inner.flatMap(codesOf) : []),
    ...codesOf(Reflect.get(error, 'cause')),
  ];
}

/**
 * Returns the response for any thrown value: an AppError unchanged, 503 if a backing service does not answer,
 * else 500 with a generic text. Never contains a stack or the message of another error.
 */
export function toWire(err: unknown): Wire {
  if (err instanceof AppError) {
    return { status: err.status, body: { detail: err.detail, code: err.code }, headers: { ...err.headers } };
  }
  if (isConnectionError(err)) return { status: 503, body: UNAVAILABLE, headers: { 'retry-after': '1' } };
  return { status: 500, body: INTERNAL, headers: {} };
}

/** Rebuilds the AppError of the called service. */
export function fromWire(wire: {
  status: number;
  body: WireBody;
  headers?: Record<string, string>;
}): AppError {
  return new AppError(wire.status, wire.body.code, wire.body.detail, { headers: wire.headers ?? {} });
}
