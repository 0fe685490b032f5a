import { startBacking, type Backing, type BackingOptions } from '@karaar/testing/backing/backing';

/**
 * PostgreSQL, NATS and Redis of a bench alone, to which the test harness of this process is pointed: service worlds of it have
 * the broker's users and those of Redis, which only servers for tests let in by name.
 */
export async function startTestBacking(
  options: Pick<BackingOptions, 'stateDir' | 'durable'>,
): Promise<Backing> {
  const backing = await startBacking({ ...options, isolated: 1, env: {} });
  process.env['TEST_DATABASE_URL'] = backing.postgresUrl;
  process.env['TEST_NATS_URL'] = backing.natsUrl;
  process.env['TEST_REDIS_URL'] = backing.redisUrl;
  process.env['TEST_ISOLATED'] = '1';
  return backing;
}
