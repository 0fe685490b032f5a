import type { Access, Method } from '@karaar/contracts/kit';
import type { Static, TObject, TSchema } from 'typebox';

/**
 * The parts of a route contract that the client uses at run time. The build drops the schemas; the rest of a
 * contract is types only.
 */
export type RouteLike = {
  method: Method;
  path: string;
  access: Access;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  multipart?: { fields: TObject; files: Readonly<Record<string, unknown>> };
  /** Absent at run time, except that a binary response is marked. */
  response: Readonly<Record<number, TSchema | 'binary'>>;
  timeoutMs?: number;
};

type Successes = 200 | 201 | 202;
type StaticOf<S> = S extends 'binary' ? Blob : S extends TSchema ? Static<S> : never;

/** The response of a route: the union of its successful responses; a binary one is a Blob. */
export type Answer<R extends RouteLike> = {
  [S in keyof R['response'] & Successes]: StaticOf<R['response'][S]>;
}[keyof R['response'] & Successes];

type Files<R extends RouteLike> = R extends { multipart: { files: infer F } }
  ? { [K in keyof F]?: File | readonly File[] }
  : never;
type Fields<R extends RouteLike> = R extends { multipart: { fields: infer F extends TObject } }
  ? Static<F>
  : never;

type Part<K extends string, S> = S extends TObject ? { [P in K]: Static<S> } : unknown;
type Optional<K extends string, S> = S extends TObject ? { [P in K]?: Static<S> } : unknown;
/** A body without required fields is optional. */
type Body<S> = S extends TObject
  ? object extends Static<S>
    ? Optional<'body', S>
    : Part<'body', S>
  : unknown;
type Form<R extends RouteLike> = R extends { multipart: object }
  ? { fields: Fields<R>; files: Files<R> }
  : unknown;

/** The input of a route call, from its contract. */
export type Input<R extends RouteLike> = Part<'params', R['params']> &
  Optional<'query', R['query']> &
  Body<R['body']> &
  Form<R>;

export type CallOptions = {
  signal?: AbortSignal;
  /** Sent as `Idempotency-Key`: the server answers a repeat with the first response. */
  idempotencyKey?: string;
  /** Sent as `If-Match`: the server refuses (412) if the present version has another tag. */
  ifMatch?: string;
  /** Sent with an act that a passkey has confirmed. */
  stepUpGrant?: string;
  /** Upload progress from 0 to 1; the request then uses XMLHttpRequest. */
  onProgress?: (fraction: number) => void;
};
