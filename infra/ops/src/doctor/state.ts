/** PostgreSQL, the broker, Redis, and the files. */
import { access, constants } from 'node:fs/promises';
import { withBroker, type Env } from '@karaar/bus/commands';
import { ConfigError, loadConfig } from '@karaar/base/config';
import { WITH_FILES } from '@karaar/contracts/names';
import { standingOf } from '@karaar/db';
import { fileKeyVariable } from '@karaar/images/fresh-keys';
import { blobConfigFromEnv, blobEnv, createBlobStore } from '@karaar/storage/blobs';
import { openRedis } from '@karaar/storage/redis';
import { Type } from 'typebox';
import { databaseOf, SERVICES, withDatabase, type Service } from '../databases.ts';
import { fault, ok, tried, warning, type Check, type Finding } from './finding.ts';

const STARTED = 'Start it, and compare its address and password with the secrets.';

function database(env: Env, service: Service): Promise<Finding[]> {
  const what = `database of ${service}`;
  return tried(what, STARTED, async () => {
    const one = databaseOf(env, service);
    const { pending } = await withDatabase(one, (db) => standingOf(db, one.migrations));
    return pending.length === 0
      ? ok(what, 'answers and is migrated')
      : fault(
          what,
          `${pending.length} migrations wait: ${pending.join(', ')}`,
          `Start ${service} of this release.`,
        );
  });
}

async function redis(env: Env): Promise<Finding> {
  const url = env['REDIS_URL'];
  if (!url)
    return warning(
      'Redis',
      'is not checked, because REDIS_URL is not set here',
      'Read the alerts of Redis, or run `doctor` with it.',
    );
  const client = openRedis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    connectTimeout: 3_000,
  });
  let reason: Error | undefined;
  client.on('error', (error: Error) => (reason = error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
  return ok('Redis', 'answers');
}

/** Reads the list of a service's files, which needs the credentials of the bucket or the rights of the folder. */
async function files(env: Env, service: string): Promise<Finding> {
  const [name, key] = [fileKeyVariable(service), env[fileKeyVariable(service)]];
  if (!key) throw new ConfigError([{ name, problem: 'is required' }]);
  const config = loadConfig(Type.Object(blobEnv), { ...env, BLOB_KEK: key });
  if (config.BLOB_DIR && !config.BLOB_S3_BUCKET) await access(config.BLOB_DIR, constants.R_OK);
  const store = createBlobStore(blobConfigFromEnv({ ...config, SERVICE_NAME: service }));
  for await (const _ of store.list()) break;
  return ok(`files of ${service}`, `${config.BLOB_S3_BUCKET ?? config.BLOB_DIR ?? ''} can be read`);
}

/** Checks every part that keeps data. */
export const checkState: Check = async (env) => {
  const findings = await Promise.all([
    ...SERVICES.map((service) => database(env, service)),
    tried('broker', STARTED, () => withBroker(env, async () => ok('broker', 'answers'))),
    tried('Redis', STARTED, () => redis(env)),
    ...WITH_FILES.map((service) =>
      tried(`files of ${service}`, 'Correct BLOB_DIR or BLOB_S3_… and the credentials of the bucket.', () =>
        files(env, service),
      ),
    ),
  ]);
  return findings.flat();
};
