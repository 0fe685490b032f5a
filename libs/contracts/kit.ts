/**
 * The vocabulary of all contracts: routes, RPC subjects and events.
 *
 * A contract is data. Services validate and serialise with it; the gateway's routing table, the browser
 * client's types, the OpenAPI page and the matrix of the authorization test are generated from it.
 */
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { ServiceName } from './names.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: any client, a signed-in user, or a signed-in admin (tokens have separate audiences). */
export type Access = 'public' | 'user' | 'admin';

/** Permissions of an admin: everything; people and documents without money and biometrics; the CMS only. */
export const ADMIN_ROLES = ['super-admin', 'support', 'editor'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

export const SUPER_ADMINS = ['super-admin'] as const satisfies readonly AdminRole[];
export const SUPPORTERS = ['super-admin', 'support'] as const satisfies readonly AdminRole[];
export const EDITORS = ['super-admin', 'editor'] as const satisfies readonly AdminRole[];

/** The required type of a file; detected from its bytes, never from its name. */
export type FileKind = 'image' | 'pdf' | 'doc' | 'docx' | 'any';

export type FileRule = {
  required?: boolean;
  /** Maximum number of files with this name; 1 by default. */
  maxCount?: number;
  maxBytes: number;
  accept: readonly FileKind[];
};

export type MultipartRule = {
  /** Text fields; each arrives as a string and is converted to the schema's type. */
  fields: TObject;
  files: Readonly<Record<string, FileRule>>;
};

/** `'binary'` is a body that is not JSON (a PDF, an image). */
export type ResponseSchema = TSchema | 'binary';

export type RouteContract = {
  method: Method;
  /** Path without the `/api` base, parameters as `:id`. */
  path: string;
  access: Access;
  /** Required for an admin route: the roles that may call it; others get 403. */
  roles?: readonly AdminRole[];
  summary: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  multipart?: MultipartRule;
  response: Readonly<Record<number, ResponseSchema>>;
  /** Timeout at the gateway in milliseconds; the gateway's default if absent. */
  timeoutMs?: number;
  /**
   * A call is expensive for the service: the gateway limits the rate of such calls per address separately.
   */
  heavy?: true;
  /** Under load this route is served before others: it moves money, signs a user in or signs a user out. */
  urgency?: 'vital';
  /** Most requests have no file: a request counts as quick until its body is larger than one chunk. */
  quickWithoutFiles?: true;
  /** The route takes a guessable code: it has a separate, lower rate limit. */
  takesCode?: true;
};

export type RpcContract<Req extends TSchema = TSchema, Res extends TSchema = TSchema> = {
  subject: string;
  request: Req;
  response: Res;
  /** The caller's timeout in milliseconds. */
  timeoutMs: number;
  /** The services that may call; enforced by the broker and by the serving process. */
  callers: readonly string[];
};

export type EventContract<Data extends TSchema = TSchema> = {
  /** `<service>.<aggregate>.<past tense>`. */
  type: string;
  version: number;
  /** `evt.<type>.v<version>`. */
  subject: string;
  data: Data;
};

/** Declares an HTTP route; keeps the literal types so that clients and handlers are typed from it. */
export function defineRoute<const R extends RouteContract>(route: R): R {
  return route;
}

/** Declares an RPC request between services (`rpc.<service>.<verb>.v<n>`). */
export function defineRpc<Req extends TSchema, Res extends TSchema>(
  rpc: RpcContract<Req, Res>,
): RpcContract<Req, Res> {
  return rpc;
}

/** A request to a service's internal port, without the broker (docs/adr/0073). */
export type InternalRpcContract<Req extends TSchema = TSchema, Res extends TSchema = TSchema> = {
  method: 'POST';
  path: `/internal/${string}`;
  callee: ServiceName;
  callers: readonly ServiceName[];
  request: Req;
  response: Res;
  timeoutMs: number;
};

/**
 * Declares a request to an internal port. It must be idempotent, because the client repeats it when a
 * connection breaks.
 */
export function defineInternalRpc<Req extends TSchema, Res extends TSchema>(
  rpc: Omit<InternalRpcContract<Req, Res>, 'method'>,
): InternalRpcContract<Req, Res> {
  return { ...rpc, method: 'POST' };
}

/** Declares an event that a service publishes (`evt.<service>.<aggregate>.<past tense>.v<n>`). */
export function defineEvent<Data extends TSchema>(event: {
  type: string;
  version: number;
  data: Data;
}): EventContract<Data> {
  return { ...event, subject: `evt.${event.type}.v${event.version}` };
}

/** The wire form of an event (design §2.5). */
export type Envelope<Data> = {
  id: string;
  type: string;
  version: number;
  /** ISO 8601, UTC. */
  occurredAt: string;
  aggregateId: string;
  aggregateVersion: number;
  traceparent?: string;
  data: Data;
};

export type EventData<E extends EventContract> = Static<E['data']>;
export type RpcRequest<R extends RpcContract> = Static<R['request']>;
export type RpcResponse<R extends RpcContract> = Static<R['response']>;
export type InternalRpcRequest<Q extends InternalRpcContract> = Static<Q['request']>;
export type InternalRpcResponse<Q extends InternalRpcContract> = Static<Q['response']>;

/**
 * The wire form of every error (spec §8): `detail` is a text, or a list for validation faults; a fault may
 * name one of several files.
 */
export const ErrorBody = Type.Object({
  detail: Type.Union([
    Type.String(),
    Type.Array(Type.Object({ loc: Type.String(), msg: Type.String(), file: Type.Optional(Type.String()) })),
  ]),
  code: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const MessageBody = Type.Object({ message: Type.String() });

export const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'UUIDv7',
});
/** 8 characters of Crockford base32 without I, L, O, U; in either case (design §3 Identifiers). */
export const Code8 = Type.String({
  pattern: '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{8}$',
  description: '8 characters of Crockford base32',
});
export const IsoDateTime = Type.String({ description: 'ISO 8601 date and time, UTC' });
/** From 1900 to 2199: PostgreSQL has no year 0, and a mistyped early year would make an expensive period. */
export const IsoDate = Type.String({
  pattern: '^(19|20|21)\\d{2}-\\d{2}-\\d{2}$',
  description: 'ISO 8601 date, from 1900 to 2199',
});
/** Rupees with at most two decimals; services keep integer paise inside. */
export const Rupees = Type.Number({ description: 'Rupees, at most two decimals' });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
export const IdAndUserParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  userId: Type.String({ minLength: 1, maxLength: 64 }),
});

export const MiB = 1024 * 1024;
