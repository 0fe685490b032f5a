import { startBacking, type Backing } from '@karaar/testing/backing/backing';
import { scratch } from '@karaar/testing/scratch';

/** Starts PostgreSQL with fsync, NATS and Redis for this process, and points its test harness at them. */
export async function startTestBacking(): Promise<Backing> {
  const backing = await startBacking({ stateDir: scratch().dir, isolated: 1, env: {} });
  process.env['TEST_DATABASE_URL'] = backing.postgresUrl;
  process.env['TEST_NATS_URL'] = backing.natsUrl;
  process.env['TEST_REDIS_URL'] = backing.redisUrl;
  process.env['TEST_ISOLATED'] = '1';
  return backing;
}
