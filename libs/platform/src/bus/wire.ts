/** RPC on the wire: `{ok:true, data}` or `{ok:false, error:{status, code, detail}}`. */
import { Type } from 'typebox';
import { fromWire, toWire } from '../errors/index.ts';
import { check } from './validate.ts';

const Reply = Type.Union([
  Type.Object({ ok: Type.Literal(true), data: Type.Unknown() }),
  Type.Object({
    ok: Type.Literal(false),
    error: Type.Object({
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      code: Type.String(),
      detail: Type.Union([
        Type.String(),
        Type.Array(Type.Object({ loc: Type.String(), msg: Type.String() })),
      ]),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  }),
]);

export const TRACEPARENT = 'traceparent';
export const TIMEOUT = 'Karaar-Timeout-Ms';

/** The reply that carries a handler's result. */
export function success(data: unknown): string {
  return JSON.stringify({ ok: true, data: data ?? null });
}

/** The reply that carries a failure, with what may be told of it, and its status. */
export function failure(error: unknown): { status: number; text: string } {
  const { status, body, headers } = toWire(error);
  const extra = Object.keys(headers).length > 0 ? { headers } : {};
  return { status, text: JSON.stringify({ ok: false, error: { status, ...body, ...extra } }) };
}

/** The data of a reply. @throws the AppError of the other side; an Error if the reply is none */
export function unwrap(subject: string, text: string): unknown {
  const reply = check(Reply, JSON.parse(text));
  if (!reply.ok) throw new Error(`The reply to ${subject} is malformed`);
  if (reply.value.ok) return reply.value.data;
  const { status, code, detail, headers } = reply.value.error;
  throw fromWire({ status, body: { code, detail }, headers: headers ?? {} });
}
