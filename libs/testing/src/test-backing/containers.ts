import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
import { natsConfig } from '../backing/nats.ts';
import { redisConfig } from '../backing/redis.ts';
import { PRIVATE_LOG } from '../backing/postgres-log.ts';
import { seconds, SetupError } from '../machine/report.mjs';
import { IMAGES, type TestBacking } from './test-backing.ts';

export interface ContainerOptions {
  /** Extra NATS accounts and Redis databases. */
  isolated: number;
  /**
   * The owner of the containers. Leftovers of an earlier, killed process with this name are removed first.
   */
  owner: string;
  log: (line: string) => void;
}

/** Label of every container that is started here. */
const ownerLabel = 'karaar.test-backing';
const reservedDatabases = 16;
const natsFile = '/etc/karaar-nats.conf';
const redisFile = '/etc/karaar-redis.conf';
const answerMs = 60_000;

/** Testcontainers binds ports on every address of the machine; tests need loopback only. */
class LoopbackContainer extends GenericContainer {
  protected override async beforeContainerCreated(): Promise<void> {
    const bindings = (this.hostConfig.PortBindings ?? {}) as Record<string, { HostPort?: string }[]>;
    this.hostConfig.PortBindings = Object.fromEntries(
      Object.entries(bindings).map(([port, hosts]) => [
        port,
        hosts.map((host) => ({ ...host, HostIp: '127.0.0.1' })),
      ]),
    );
  }
}

/**
 * Starts PostgreSQL, NATS with JetStream and Redis in containers, in parallel, on free loopback ports. They
 * are not durable. `stop` removes the containers and their volumes.
 *
 * @throws SetupError if no container runtime answers; Testcontainers' Error for a server that did not start,
 * after the others were removed
 */
export async function startContainers(options: ContainerOptions): Promise<TestBacking> {
  await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new SetupError(
      'No container runtime answers. Install the servers by `node infra/dev/bootstrap.mjs install`, start Docker, or name a socket in DOCKER_HOST.',
      { cause },
    );
  });
  const stop = () => removeContainers(options.owner);
  await stop();
  const results = await Promise.allSettled([
    timed('postgres', options, startPostgres),
    timed('nats', options, startNats),
    timed('redis', options, startRedis),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const [postgresUrl = '', natsUrl = '', redisUrl = ''] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : '',
  );
  return { postgresUrl, natsUrl, redisUrl, stop };
}

/** Removes every container of this owner, whichever process started it. */
async function removeContainers(owner: string): Promise<void> {
  const { dockerode } = (await getContainerRuntimeClient()).container;
  const filters = { label: [`${ownerLabel}=${owner}`] };
  const found = await dockerode.listContainers({ all: true, filters });
  await Promise.all(found.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
}

async function timed(
  name: string,
  options: ContainerOptions,
  start: (options: ContainerOptions) => Promise<string>,
): Promise<string> {
  const began = Date.now();
  const url = await start(options);
  options.log(`${name}: ready in a container (${seconds(began)})`);
  return url;
}

function container(image: string, port: number, { owner }: ContainerOptions): GenericContainer {
  return new LoopbackContainer(image)
    .withLabels({ [ownerLabel]: owner })
    .withExposedPorts(port)
    .withStartupTimeout(answerMs);
}

const address = (started: StartedTestContainer, port: number) => `127.0.0.1:${started.getMappedPort(port)}`;

async function startPostgres(options: ContainerOptions): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const started = await container(IMAGES.postgres, 5432, options)
    .withEnvironment({
      POSTGRES_USER: 'karaar',
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: 'postgres',
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale-provider=builtin --locale=C.UTF-8',
    })
    .withCommand(['postgres', ...postgresSettings])
    // While the image creates its cluster, it runs a server that listens on no address.
    .withWaitStrategy(Wait.forLogMessage(/listening on IPv4 address/))
    .start();
  const url = `postgresql://karaar:${password}@${address(started, 5432)}/postgres`;
  await connects(url);
  return url;
}

/** The same settings as the embedded server for tests. */
const postgresSettings = [
  'max_connections=200',
  'shared_buffers=128MB',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  ...Object.entries(PRIVATE_LOG).map(([name, value]) => `${name}=${value}`),
].flatMap((setting) => ['-c', setting]);

async function startNats(options: ContainerOptions): Promise<string> {
  const passwordOf = passwords();
  const content = natsConfig({
    listen: '0.0.0.0:4222',
    storeDir: '/tmp/streams',
    isolated: options.isolated,
    passwordOf,
  });
  const started = await container(IMAGES.nats, 4222, options)
    .withCopyContentToContainer([{ content, target: natsFile }])
    .withCommand(['nats-server', '-c', natsFile])
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start();
  return `nats://launcher:${passwordOf('launcher')}@${address(started, 4222)}`;
}

/** Returns random passwords, one for each name. */
function passwords(): (name: string) => string {
  const made = new Map<string, string>();
  return (name) => {
    const password = made.get(name) ?? randomBytes(16).toString('hex');
    made.set(name, password);
    return password;
  };
}

async function startRedis(options: ContainerOptions): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const content = redisConfig({
    listenHost: '0.0.0.0',
    port: 6379,
    dir: '/tmp',
    password,
    // As on the embedded test server: in each test file's URL the password is the service's name.
    passwordOf: (user) => user,
    databases: reservedDatabases + options.isolated,
    durable: false,
  });
  const started = await container(IMAGES.redis, 6379, options)
    .withCopyContentToContainer([{ content, target: redisFile }])
    .withCommand(['valkey-server', redisFile])
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start();
  return `redis://launcher:${password}@${address(started, 6379)}`;
}

/** Waits until PostgreSQL accepts a connection: it starts to listen a moment earlier. */
async function connects(url: string): Promise<void> {
  for (const until = Date.now() + answerMs; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined); // the result of connect is checked
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    } finally {
      await client.end();
    }
  }
}
