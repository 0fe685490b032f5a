/**
 * The vocabulary in which every contract is written: routes, RPC subjects and events.
 *
 * A contract is data. Services validate and serialise with it, the gateway builds its routing table
 * from it, the browser client its types, the OpenAPI page its text and the authorization test its matrix.
 */
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { ServiceName } from './names.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anybody, a signed-in user, or a signed-in admin (tokens have separate audiences). */
export type Access = 'public' | 'user' | 'admin';

/** What an admin may do: everything; people and documents without money and biometrics; the CMS only. */
export const ADMIN_ROLES = ['super-admin', 'support', 'editor'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** The usual sets of roles for an admin route's `roles`. */
export const SUPER_ADMINS = ['super-admin'] as const satisfies readonly AdminRole[];
export const SUPPORTERS = ['super-admin', 'support'] as const satisfies readonly AdminRole[];
export const EDITORS = ['super-admin', 'editor'] as const satisfies readonly AdminRole[];

/** What a file's content must be; decided by its bytes, never by its name. */
export type FileKind = 'image' | 'pdf' | 'doc' | 'docx' | 'any';

export type FileRule = {
  required?: boolean;
  /** How many files may carry this name; 1 when not given. */
  maxCount?: number;
  /** Bytes of one file at most. */
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
  /** Of an admin route, always: which roles may call it; others get 403. */
  roles?: readonly AdminRole[];
  summary: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  multipart?: MultipartRule;
  response: Readonly<Record<number, ResponseSchema>>;
  /** Milliseconds until the gateway gives up; the gateway's default when not given. */
  timeoutMs?: number;
  /** One call costs the service much: the gateway counts such calls apart, and lets an address make few of them. */
  heavy?: true;
  /** Under load this route is served before others: it moves money, signs a user in or signs a user out. */
  urgency?: 'vital';
  /** Most requests carry no file: a request counts as quick until its body is larger than what is read in one piece. */
  quickWithoutFiles?: true;
  /** It takes a code that could be guessed: a separate, lower rate limit. */
  takesCode?: true;
};

export type RpcContract<Req extends TSchema = TSchema, Res extends TSchema = TSchema> = {
  subject: string;
  request: Req;
  response: Res;
  /** Milliseconds the caller waits at most. */
  timeoutMs: number;
  /** Who may ask; the broker holds it, and so does who answers. */
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

/** Declares a request/reply call between services (`rpc.<service>.<verb>.v<n>`). */
export function defineRpc<Req extends TSchema, Res extends TSchema>(
  rpc: RpcContract<Req, Res>,
): RpcContract<Req, Res> {
  return rpc;
}

/** A request between services that goes to the callee's internal port, past the broker (docs/adr/0073). */
export type InternalRpcContract<Req extends TSchema = TSchema, Res extends TSchema = TSchema> = {
  method: 'POST';
  path: `/internal/${string}`;
  callee: ServiceName;
  /** Who may ask. */
  callers: readonly ServiceName[];
  request: Req;
  response: Res;
  /** Milliseconds the caller waits at most. */
  timeoutMs: number;
};

/**
 * Declares a request at an internal port. Sending it twice must have the effect of sending it once: it is repeated where a
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

/** The wire form of every error (spec §8): `detail` is a text, or a list for validation faults, of which one may be about one file of several. */
export const ErrorBody = Type.Object({
  detail: Type.Union([
    Type.String(),
    Type.Array(Type.Object({ loc: Type.String(), msg: Type.String(), file: Type.Optional(Type.String()) })),
  ]),
  code: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const MessageBody = Type.Object({ message: Type.String() });

/** Schemas that several contracts share. */
export const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'UUIDv7',
});
/** 8 characters of Crockford base32 without I, L, O, U; taken in either case (design §3 Identifiers). */
export const Code8 = Type.String({
  pattern: '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{8}$',
  description: '8 characters of Crockford base32',
});
export const IsoDateTime = Type.String({ description: 'ISO 8601 date and time, UTC' });
/** From 1900 to 2199: PostgreSQL has no year 0, and a period from the year 1 on is a slip of the keyboard that costs. */
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
