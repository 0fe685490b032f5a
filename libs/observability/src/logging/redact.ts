const REDACTED = '[redacted]';
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** Names whose values are never logged, in any spelling (`accessToken`, `access_token`, `Access-Token`). */
const SENSITIVE = new Set([
  'authorization',
  'cookie',
  'setcookie',
  'password',
  'passwd',
  'secret',
  'otp',
  'otpcode',
  'documentcode',
  'totp',
  'token',
  'accesstoken',
  'admintoken',
  'refreshtoken',
  'jwt',
  'apikey',
  'keysecret',
  'privatekey',
  'kek',
  'blobkek',
  'razorpaysignature',
  'govtidnumber',
  'govtidimage',
  'profilepic',
  'signaturepic',
  'eyepic',
  'fingerprint',
  'thumb',
  'sign',
  'eye',
  'image',
  'phone',
  'phoneno',
  'email',
]);
const sensitive = (name: string) => SENSITIVE.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''));

const JWT = /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g;
const BEARER = /\bBearer\s+[\w.~+/=-]+/gi;
const DATA_URL = /\bdata:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/=]+/g;
const URL_PASSWORD = /(:\/\/[^\s:/@]+:)[^\s@/]+@/g;

/** Returns a text without tokens, inlined files and passwords in URLs. */
export function scrub(text: string): string {
  return text
    .replaceAll(JWT, '[token]')
    .replaceAll(BEARER, 'Bearer [token]')
    .replaceAll(DATA_URL, '[data]')
    .replaceAll(URL_PASSWORD, '$1[redacted]@');
}

/** Returns an error's type, message, code, stack and cause, without a driver's extra properties. */
export function serializeError(err: unknown, depth = 0): unknown {
  if (!(err instanceof Error)) return redact(err, depth);
  const code =
    'code' in err && (typeof err.code === 'string' || typeof err.code === 'number') ? err.code : undefined;
  return {
    type: err.name,
    message: scrub(err.message),
    ...(code === undefined ? {} : { code }),
    ...(err.stack === undefined ? {} : { stack: scrub(err.stack) }),
    ...(err.cause === undefined || depth >= 3 ? {} : { cause: serializeError(err.cause, depth + 1) }),
    ...(err instanceof AggregateError
      ? { errors: err.errors.slice(0, 5).map((e) => serializeError(e, depth + 1)) }
      : {}),
  };
}

/** Class instances (a request, a socket, a pool) are named, never walked. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns a copy that is safe to log: limited in depth and width, with sensitive values replaced. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return serializeError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[…]';
  if (!Array.isArray(value) && !isPlain(value)) return `[${value.constructor?.name ?? 'object'}]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => redact(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value).slice(0, MAX_ENTRIES)) {
    copy[name] =
      sensitive(name) && inner !== undefined && inner !== null ? REDACTED : redact(inner, depth + 1);
  }
  return copy;
}
