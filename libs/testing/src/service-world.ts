/**
 * What a service needs around it in a test: a database of its own, the real broker and Redis, and an auth
 * service that answers by contract for the users that the test makes up.
 */
import { natsUrlOf } from '@karaar/dev/backing/nats';
import { redisUrlOf } from '@karaar/dev/backing/redis';
import { authEvents } from '@karaar/contracts/auth/events';
import { authRpc, type DirectoryUser as DirectoryUserSchema } from '@karaar/contracts/auth/rpc';
import { askedBy, inboxOf } from '@karaar/contracts/broker/names';
import type { ServiceName } from '@karaar/contracts/names';
import { edges } from '@karaar/contracts/internal';
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

/** What a fact says besides its data. */
export type Fact = { id?: string; aggregateId?: string; aggregateVersion?: number; occurredAt?: string };

export type ServiceWorld = {
  /** The environment of the service; spread it and add the service's own variables. At the broker it may what the service may. */
  env: Record<string, string>;
  issuer: TokenIssuer;
  /** The database, of the role that owns it: for what the service itself may not do. */
  ownerUrl: string;
  /** Runs statements as that role. */
  asOwner: (statements: string) => Promise<void>;
  /** The broker's URL with a user who has all rights: for stand-ins. */
  natsUrl: string;
  /** The URL of Redis with a user who has all rights. */
  redisUrl: string;
  /** A directory that is removed at the end. */
  folder: string;
  /** Makes a user up: known to the auth stand-in, signed in. */
  addUser: (
    name: string,
    options?: {
      profileComplete?: boolean;
      active?: boolean;
      phone?: string;
      language?: DirectoryUser['language'];
    },
  ) => Promise<WorldUser>;
  /** The user changes the name of the account, and auth says so to everybody. */
  rename: (user: Pick<WorldUser, 'userId'>, name: string) => Promise<void>;
  /** Auth knows the user by another number from now on. */
  changePhone: (user: Pick<WorldUser, 'userId'>, phone: string) => void;
  /** Auth tells another address of the user from now on; none where the user has not proved it. */
  changeEmail: (user: Pick<WorldUser, 'userId'>, email: string) => void;
  /**
   * Publishes a fact as the service that owns it would. Throws when nobody listens: its stream is made by the service
   * under test, so that is started before.
   * @param fact what it says besides its data; a new id and version 1 when not given
   * @returns the id of the fact; published again with it, it is the same fact
   */
  publish: <E extends EventContract>(event: E, data: EventData<E>, fact?: Fact) => Promise<string>;
  /** Asks the service under test as another service would. @throws Error with the status when it refuses */
  ask: <R extends RpcContract>(rpc: R, data: RpcRequest<R>, as: string) => Promise<RpcResponse<R>>;
  /** Answers for another service. */
  serve: <R extends RpcContract>(rpc: R, reply: (data: RpcRequest<R>) => RpcResponse<R>) => Promise<void>;
  /** The account is gone: auth does not know the user any more and says so to everybody. */
  deleteUser: (user: Pick<WorldUser, 'userId' | 'charId'>) => Promise<void>;
  /** Of a super-admin unless another role is named; each call is another admin. */
  adminHeaders: (role?: AdminRole) => Promise<{ authorization: string }>;
  /** A super-admin with an id and a session that can be ended. */
  addAdmin: () => Promise<WorldAdmin>;
  /** The account is gone; its sessions have not ended by that alone. */
  removeAdmin: (admin: Pick<WorldAdmin, 'adminId'>) => void;
  /** As a sign-out, a blocked account or a removed one ends it. */
  endSession: (admin: Pick<WorldAdmin, 'sessionId'>) => void;
  stop: () => Promise<void>;
};

export type WorldAdmin = { adminId: string; sessionId: string; headers: { authorization: string } };

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const charId = (): string => Array.from(randomBytes(8), (byte) => CROCKFORD.charAt(byte & 31)).join('');

const nothing = () => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A secret for each edge between services, by its variable. */
export const edgeSecrets = (): Record<string, string> =>
  Object.fromEntries(edges.map(({ variable }) => [variable, randomBytes(32).toString('base64url')]));

/** Starts the surroundings of one service. Call `stop` in `afterAll`, after the service is closed. */
export async function startServiceWorld(
  name: string,
  options: {
    /** Whose rights it has at the broker. */
    service: ServiceName;
    /** The platform's, which is not known here. */
    startBrokerAdmin: (options: {
      url: string;
      logger: typeof silent;
    }) => Promise<{ close(): Promise<void> }>;
    /** false where the auth service itself is tested. */
    authStandIn?: boolean;
    /** A broker of the test's own, to be broken. */
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
        message.respond(JSON.stringify({ ok: true, data: reply(message.json<RpcRequest<R>>()) }));
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

  const publish: ServiceWorld['publish'] = async ({ subject, type, version }, data, fact = {}) => {
    const { id = randomUUID(), aggregateId = randomUUID(), aggregateVersion = 1 } = fact;
    const occurredAt = fact.occurredAt ?? new Date().toISOString();
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
      ...edgeSecrets(),
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
