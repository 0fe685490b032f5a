import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { MultipartRule, RouteContract } from '@karaar/contracts/kit';
import type { Principal } from '../auth/index.ts';

/** A file of a form, in the request's temporary directory; removed after the response. */
export type SpooledFile = {
  field: string;
  /** The client's file name, without path and control characters; for display only. */
  filename: string;
  path: string;
  size: number;
  sha256: string;
  /** Detected from the content, never the name; `application/octet-stream` if unknown. */
  mime: string;
  kind: 'image' | 'pdf' | 'doc' | 'docx' | 'other';
};

export type Form<M extends MultipartRule> = {
  fields: Static<M['fields']>;
  /** Every declared file field, with an empty list for a field without files. */
  files: { [K in keyof M['files']]: SpooledFile[] };
};

/** The result of a route whose response is `'binary'`. */
export type BinaryBody = {
  body: Buffer | Readable;
  mime: string;
  /** File name suggested to the browser; shown inline unless `download`. */
  filename?: string;
  download?: boolean;
  size?: number;
  headers?: Record<string, string>;
};

type Part<C, K extends PropertyKey> = C extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : undefined;

export type RouteContext<C extends RouteContract> = {
  params: Part<C, 'params'>;
  query: Part<C, 'query'>;
  body: Part<C, 'body'>;
  form: C extends { readonly multipart: infer M extends MultipartRule } ? Form<M> : undefined;
  /** The caller; set on every route that is not public. */
  principal: C['access'] extends 'public' ? undefined : Principal;
  idempotencyKey: string | undefined;
  /** Aborted when the client disconnects or the deadline passes. */
  signal: AbortSignal;
  req: FastifyRequest;
  reply: FastifyReply;
  log: FastifyRequest['log'];
};

type Success = 200 | 201 | 202 | 203 | 204 | 206;
type Answer<S> = S extends 'binary' ? BinaryBody : S extends TSchema ? Static<S> : never;

/**
 * A handler's result: the body of one of the contract's successful responses. The status is the contract's
 * lowest successful one unless the handler set another with `reply.code()`.
 */
export type HandlerResult<C extends RouteContract> = {
  [S in keyof C['response'] & Success]: S extends 204 ? undefined : Answer<C['response'][S]>;
}[keyof C['response'] & Success];

export type Handler<C extends RouteContract> = (ctx: RouteContext<C>) => Promise<HandlerResult<C>>;
