/** RPC on the wire: `{ok:true, data}` or `{ok:false, error:{status, code, detail}}`. */
import { fromWire, toWire, type Detail } from '@karaar/base/errors';

type Reply =
  | { ok: true; data: unknown }
  | { ok: false; error: { status: number; code: string; detail: Detail; headers?: Record<string, string> } };

/** Both sides run the same version of this file, so only the outer shape is checked. */
function isReply(value: unknown): value is Reply {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  if (value.ok === true) return 'data' in value;
  return value.ok === false && 'error' in value && typeof value.error === 'object' && value.error !== null;
}

export const TRACEPARENT = 'traceparent';
export const TIMEOUT = 'Karaar-Timeout-Ms';

/** Serializes the data of a reply; undefined becomes null. */
export function success(data: unknown): string {
  return JSON.stringify({ ok: true, data: data ?? null });
}

/** Serializes a failure: its status, and the details that the caller may see. */
export function failure(error: unknown): { status: number; text: string } {
  const { status, body, headers } = toWire(error);
  const extra = Object.keys(headers).length > 0 ? { headers } : {};
  return { status, text: JSON.stringify({ ok: false, error: { status, ...body, ...extra } }) };
}

/** Returns the data of a reply. @throws the AppError of the other side; an Error if the reply is malformed */
export function unwrap(subject: string, text: string): unknown {
  const reply: unknown = JSON.parse(text);
  if (!isReply(reply)) throw new Error(`The reply to ${subject} is malformed`);
  if (reply.ok) return reply.data;
  const { status, code, detail, headers } = reply.error;
  throw fromWire({ status, body: { code, detail }, headers: headers ?? {} });
}
