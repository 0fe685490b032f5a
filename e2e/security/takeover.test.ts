/** The takeover drill finds a broker and a Redis that make no difference between services. */
import { natsUrlOf } from '@karaar/dev/backing/nats';
import { redisUrlOf } from '@karaar/dev/backing/redis';
import { testNats, testRedis } from '@karaar/testing/harness';
import { findingsOf, lineOf, reachOf } from './takeover.ts';

const nobody = {
  broker: { asks: [], says: [], hears: [], forges: [], shapes: [] },
  redis: [],
  databases: [],
};

it('finds everything in what was one user for all', async () => {
  const broker = await testNats();
  const reach = await reachOf('messaging', { broker, redis: await testRedis(), database: undefined });
  const found = findingsOf([reach], '').map(({ what }) => what);
  for (const what of [
    'moves money',
    'asks rpc.wallet.debit.v1.payments in a name that is not its own',
    'says events of payments',
    'hears evt.>',
    'reaches a stream: DELETE wallet',
  ])
    expect(found).toContain(what);
  expect(reach.redis).toContain('open sessions');
}, 120_000);

it('finds nothing with the users of the contracts, where the table says the same', async () => {
  const own = natsUrlOf(await testNats(), 'messaging', () => '');
  const redis = redisUrlOf(await testRedis(), 'messaging', (name) => name);
  const reach = await reachOf('messaging', { broker: own, redis, database: undefined });
  expect(reach.broker).toMatchObject({ says: ['messaging'], hears: [], forges: [], shapes: [] });
  expect(reach.redis).toEqual(['see sessions', 'tell who is there', 'speak between chat processes']);
  expect(findingsOf([reach], lineOf(reach))).toEqual([]);
  expect(findingsOf([reach], '')).toHaveLength(1);
}, 120_000);

it('names a database that is not its own', () => {
  const other = { ...nobody, user: 'cms' as const, databases: ['karaar_wallet'] };
  expect(findingsOf([other], lineOf(other)).map(({ what }) => what)).toEqual([
    'opens the database karaar_wallet',
  ]);
});
