/**
 * The environment of a service in a test: its own database, the real broker and Redis, and a stub of the auth
 * service for the test's users.
 */
import { natsUrlOf } from './backing/nats.ts';
import { redisUrlOf } from './backing/redis.ts';
import { authEvents } from '@karaar/contracts/auth/events';
import { authRpc, type DirectoryUser as DirectoryUserSchema } from '@karaar/contracts/auth/rpc';
import { askedBy, inboxOf } from '@karaar/contracts/broker/names';
import type { ServiceName } from '@karaar/contracts/names';
import { serviceCredentials } from '@karaar/contracts/internal';
import type {
  AdminRole,
  EventContract,
  EventData,
  RpcContract,
  RpcRequest,
  RpcResponse,
} from '@karaar/contracts/kit';
import { jetstream } from '@nats-io/jetstream';
import { createInbox } from '@nats-io/transport-node';
import type { Static } from 'typebox';
import { mkdtemp, rm } from 'node:fs/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateAsLater } from './servers/later-release.ts';
import { asRole, testNats, testPostgres, testRedis } from './harness.ts';
import { connectTo } from './servers/nats.ts';
import { bearer, startTokenIssuer, type TokenIssuer } from './people/tokens.ts';

type DirectoryUser = Static<typeof DirectoryUserSchema>;

export type WorldUser = {
  userId: string;
  charId: string;
  name: string;
  token: string;
  /** `Authorization` header. */
  headers: { authorization: string };
};

/** Fields of an event besides its data. */
export type EventFields = {
  id?: string;
  aggregateId?: string;
  aggregateVersion?: number;
  occurredAt?: string;
};

export type ServiceWorld = {
  /**
   * The environment of the service; spread it and add the service's own variables. It has the service's own
   * rights at the broker.
   */
  env: Record<string, string>;
  issuer: TokenIssuer;
  /** The database as its owner, for statements that the service itself may not run. */
  ownerUrl: string;
  /** Runs statements as that role. */
  asOwner: (statements: string) => Promise<void>;
  /** The broker's URL with a user who has all rights, for stubs. */
  natsUrl: string;
  /** The URL of Redis with a user who has all rights. */
  redisUrl: string;
  /** A directory that is removed at the end. */
  folder: string;
  /** Creates a signed-in user whom the auth stub knows. */
  addUser: (
    name: string,
    options?: {
      profileComplete?: boolean;
      active?: boolean;
      phone?: string;
      language?: DirectoryUser['language'];
    },
  ) => Promise<WorldUser>;
  /** Changes the user's name, and publishes auth's event. */
  rename: (user: Pick<WorldUser, 'userId'>, name: string) => Promise<void>;
  /** Changes the user's phone number in the auth stub. */
  changePhone: (user: Pick<WorldUser, 'userId'>, phone: string) => void;
  /** Changes the user's e-mail address in the auth stub; empty for an unverified one. */
  changeEmail: (user: Pick<WorldUser, 'userId'>, email: string) => void;
  /**
   * Publishes an event as the service that owns it. Throws without a consumer: the service under test creates
   * the stream, so start it first.
   * @param fields other fields than its data; by default a new id and version 1
   * @returns the id of the event; publishing it again with this id repeats the event
   */
  publish: <E extends EventContract>(event: E, data: EventData<E>, fields?: EventFields) => Promise<string>;
  /**
   * Sends a request to the service under test as another service. @throws Error with the status of an error
   * reply
   */
  ask: <R extends RpcContract>(rpc: R, data: RpcRequest<R>, as: string) => Promise<RpcResponse<R>>;
  /** Serves a request in place of another service; an AppError of `reply` is its answer. */
  serve: <R extends RpcContract>(rpc: R, reply: (data: RpcRequest<R>) => RpcResponse<R>) => Promise<void>;
  /** Deletes the account in the auth stub, and publishes auth's event. */
  deleteUser: (user: Pick<WorldUser, 'userId' | 'charId'>) => Promise<void>;
  /** Headers of a super-admin, or an admin of another role; each call is another admin. */
  adminHeaders: (role?: AdminRole) => Promise<{ authorization: string }>;
  /** Creates a super-admin with an id and a session that can be ended. */
  addAdmin: () => Promise<WorldAdmin>;
  /** Removes the admin's account without ending its sessions. */
  removeAdmin: (admin: Pick<WorldAdmin, 'adminId'>) => void;
  /** Ends the session, as a sign-out or a blocked or removed account does. */
  endSession: (admin: Pick<WorldAdmin, 'sessionId'>) => void;
  stop: () => Promise<void>;
};

export type WorldAdmin = { adminId: string; sessionId: string; headers: { authorization: string } };

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const charId = (): string => Array.from(randomBytes(8), (byte) => CROCKFORD.charAt(byte & 31)).join('');

const nothing = () => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Returns a secret for each service credential, by its variable. */
export const serviceSecrets = (): Record<string, string> =>
  Object.fromEntries(
    serviceCredentials.map(({ variable }) => [variable, randomBytes(32).toString('base64url')]),
  );

/** Starts the environment of one service. Call `stop` in `afterAll`, after the service is closed. */
export async function startServiceWorld(
  name: string,
  options: {
    /** The service whose rights it has at the broker. */
    service: ServiceName;
    /** From the platform library, which this library does not import. */
    startBrokerAdmin: (options: {
      url: string;
      logger: typeof silent;
    }) => Promise<{ close(): Promise<void> }>;
    /** false if the auth service itself is tested. */
    authStandIn?: boolean;
    /** A broker of the test, which may break it. */
    natsUrl?: string;
  },
): Promise<ServiceWorld> {
  const { service, startBrokerAdmin } = options;
  const database = await testPostgres(name);
  await migrateAsLater(service, database.url);
  const [natsUrl, redisUrl, issuer] = [
    options.natsUrl ?? (await testNats()),
    await testRedis(),
    await startTokenIssuer(),
  ];
  const folder = await mkdtemp(join(tmpdir(), `karaar-${name}-`));
  const users = new Map<string, DirectoryUser>();

  const nc = await connectTo(natsUrl);
  const serve: ServiceWorld['serve'] = async <R extends RpcContract>(
    rpc: R,
    reply: (data: RpcRequest<R>) => RpcResponse<R>,
  ) => {
    nc.subscribe(askedBy(rpc.subject, '*'), {
      callback: (_error, message) => {
        message.respond(JSON.stringify(answerOf(() => reply(message.json<RpcRequest<R>>()))));
      },
    });
    await nc.flush();
  };
  const ask: ServiceWorld['ask'] = async <R extends RpcContract>(rpc: R, data: RpcRequest<R>, as: string) => {
    const toItself = { noMux: true, reply: createInbox(inboxOf(as)), timeout: rpc.timeoutMs };
    const message = await nc.request(askedBy(rpc.subject, as), JSON.stringify(data), toItself);
    const answer = message.json<{ ok: boolean; data: RpcResponse<R>; error?: { status: number } }>();
    if (!answer.ok) throw new Error(`${rpc.subject} answered ${answer.error?.status}`);
    return answer.data;
  };
  const [ended, removed] = [new Set<string>(), new Set<string>()];
  if (options.authStandIn !== false) {
    await serve(authRpc.sessionStatus, ({ session_id }) => ({ active: !ended.has(session_id) }));
    await serve(authRpc.findUser, ({ user_id, char_id }) => ({
      user: [...users.values()].find((user) => user.user_id === user_id || user.char_id === char_id) ?? null,
    }));
    await serve(authRpc.findAdmin, ({ admin_id }) => ({
      admin: removed.has(admin_id) ? null : { username: 'editor-in-chief' },
    }));
  }
  const brokerAdmin = await startBrokerAdmin({ url: natsUrl, logger: silent });

  const publish: ServiceWorld['publish'] = async ({ subject, type, version }, data, fields = {}) => {
    const { id = randomUUID(), aggregateId = randomUUID(), aggregateVersion = 1 } = fields;
    const occurredAt = fields.occurredAt ?? new Date().toISOString();
    const envelope = { id, type, version, occurredAt, aggregateId, aggregateVersion, data };
    await jetstream(nc).publish(subject, JSON.stringify(envelope));
    return id;
  };

  return {
    issuer,
    ownerUrl: database.url,
    asOwner: (statements) => asRole(database.url, statements),
    natsUrl,
    redisUrl,
    folder,
    env: {
      NODE_ENV: 'test',
      SERVICE_NAME: service,
      PORT: '0',
      INTERNAL_PORT: '0',
      ...serviceSecrets(),
      DATABASE_URL: database.runtimeUrl,
      MIGRATION_DATABASE_URL: database.url,
      NATS_URL: natsUrlOf(natsUrl, service, () => ''),
      REDIS_URL: redisUrlOf(redisUrl, service, (user) => user),
      AUTH_URL: new URL(issuer.jwksUrl).origin,
      BLOB_DIR: join(folder, 'blobs'),
      BLOB_KEK: `test:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'error',
    },
    addUser: async (userName, options = {}) => {
      const user = { userId: randomUUID(), charId: charId(), name: userName };
      users.set(user.userId, {
        user_id: user.userId,
        char_id: user.charId,
        name: userName,
        email: `${user.charId.toLowerCase()}@example.org`,
        phone_no: options.phone ?? `+919${String(users.size).padStart(9, '0')}`,
        is_active: options.active ?? true,
        profile_complete: options.profileComplete ?? true,
        language: options.language ?? null,
        version: 1,
      });
      const token = await issuer.user({ userId: user.userId, charId: user.charId });
      return { ...user, token, headers: bearer(token) };
    },
    rename: async ({ userId }, userName) => {
      const user = users.get(userId);
      if (!user) throw new Error(`Auth knows no user ${userId}.`);
      const version = user.version + 1;
      users.set(userId, { ...user, name: userName, version });
      await publish(
        authEvents.userUpdated,
        { user_id: userId },
        { aggregateId: userId, aggregateVersion: version },
      );
    },
    changePhone: ({ userId }, phone_no) => {
      const user = users.get(userId);
      if (user) users.set(userId, { ...user, phone_no, version: user.version + 1 });
    },
    changeEmail: ({ userId }, email) => {
      const user = users.get(userId);
      if (user) users.set(userId, { ...user, email, version: user.version + 1 });
    },
    publish,
    ask,
    serve,
    deleteUser: async ({ userId, charId: char_id }) => {
      const version = Number(users.get(userId)?.version ?? 1) + 1;
      users.delete(userId);
      const data = { user_id: userId, char_id, deleted_at: new Date().toISOString() };
      await publish(authEvents.userDeleted, data, { aggregateId: userId, aggregateVersion: version });
    },
    addAdmin: async () => {
      const [adminId, sessionId] = [randomUUID(), randomUUID()];
      return { adminId, sessionId, headers: bearer(await issuer.admin({ userId: adminId, sessionId })) };
    },
    removeAdmin: ({ adminId }) => void removed.add(adminId),
    endSession: ({ sessionId }) => void ended.add(sessionId),
    adminHeaders: async (role) => bearer(await issuer.admin(role ? { role } : {})),
    stop: async () => {
      await brokerAdmin.close();
      await nc.close();
      await issuer.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answerOf(reply: () => unknown): object {
  try {
    return { ok: true, data: reply() };
  } catch (error) {
    // An AppError: its library tests itself with this one, and so cannot be imported here.
    const { status, code, detail } = error as { status: number; code: string; detail: string };
    return { ok: false, error: { status, code, detail } };
  }
}
