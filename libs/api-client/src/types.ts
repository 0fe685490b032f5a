import type { Access, Method } from '@karaar/contracts/kit';
import type { Static, TObject, TSchema } from 'typebox';

/**
 * What the client uses of a route contract at run time. The bundle holds no more than this (the apps' build
 * drops the schemas); the rest of a contract serves as types.
 */
export type RouteLike = {
  method: Method;
  path: string;
  access: Access;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  multipart?: { fields: TObject; files: Readonly<Record<string, unknown>> };
  /** Absent at run time, except that a binary answer is marked. */
  response: Readonly<Record<number, TSchema | 'binary'>>;
  timeoutMs?: number;
};

type Successes = 200 | 201 | 202;
type StaticOf<S> = S extends 'binary' ? Blob : S extends TSchema ? Static<S> : never;

/** The answer of a route: the union of its successful responses' shapes; a binary one is a Blob. */
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
/** A body of which nothing is required need not be sent. */
type Body<S> = S extends TObject
  ? object extends Static<S>
    ? Optional<'body', S>
    : Part<'body', S>
  : unknown;
type Form<R extends RouteLike> = R extends { multipart: object }
  ? { fields: Fields<R>; files: Files<R> }
  : unknown;

/** What a call of a route takes, from its contract. */
export type Input<R extends RouteLike> = Part<'params', R['params']> &
  Optional<'query', R['query']> &
  Body<R['body']> &
  Form<R>;

export type CallOptions = {
  signal?: AbortSignal;
  /** Sent as `Idempotency-Key`: the server answers a repeat of the same effect with the first answer. */
  idempotencyKey?: string;
  /** Sent as `If-Match`: the server refuses (412) when what is there is no longer what this tag names. */
  ifMatch?: string;
  /** Sent with an act that a passkey has confirmed. */
  stepUpGrant?: string;
  /** Upload progress from 0 to 1; the call then goes through XMLHttpRequest. */
  onProgress?: (fraction: number) => void;
};
