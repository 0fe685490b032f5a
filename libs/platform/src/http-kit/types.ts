import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { MultipartRule, RouteContract } from '@karaar/contracts/kit';
import type { Principal } from '../auth/index.ts';

/** A file of a form, in the request's own temporary directory; gone once the answer is out. */
export type SpooledFile = {
  /** The form field it came in. */
  field: string;
  /** The name the client gave, without path and control characters; for display only. */
  filename: string;
  /** Absolute path of the temporary file. */
  path: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
  /** By content, never by name; `application/octet-stream` when unknown. */
  mime: string;
  kind: 'image' | 'pdf' | 'doc' | 'docx' | 'other';
};

export type Form<M extends MultipartRule> = {
  fields: Static<M['fields']>;
  /** Every declared file field, also those without a file (an empty list). */
  files: { [K in keyof M['files']]: SpooledFile[] };
};

/** The answer of a route whose response is `'binary'`. */
export type BinaryBody = {
  body: Buffer | Readable;
  mime: string;
  /** Suggested to the browser; shown inline unless `download`. */
  filename?: string;
  download?: boolean;
  /** Bytes, if known. */
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
  /** Who calls; set on every route that is not public. */
  principal: C['access'] extends 'public' ? undefined : Principal;
  /** The client's `Idempotency-Key`, if it sent one. */
  idempotencyKey: string | undefined;
  /** Aborted when the client is gone or the deadline has passed. */
  signal: AbortSignal;
  req: FastifyRequest;
  reply: FastifyReply;
  log: FastifyRequest['log'];
};

type Success = 200 | 201 | 202 | 203 | 204 | 206;
type Answer<S> = S extends 'binary' ? BinaryBody : S extends TSchema ? Static<S> : never;

/**
 * What a handler returns: the body of one of the contract's successful answers. The status is the contract's
 * lowest successful one unless the handler set another with `reply.code()`.
 */
export type HandlerResult<C extends RouteContract> = {
  [S in keyof C['response'] & Success]: S extends 204 ? undefined : Answer<C['response'][S]>;
}[keyof C['response'] & Success];

export type Handler<C extends RouteContract> = (ctx: RouteContext<C>) => Promise<HandlerResult<C>>;
