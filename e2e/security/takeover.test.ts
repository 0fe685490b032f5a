/** The takeover drill finds a broker and a Redis that make no difference between services. */
import { natsUrlOf } from '@karaar/dev/backing/nats';
import { redisUrlOf } from '@karaar/dev/backing/redis';
import { testNats, testRedis } from '@karaar/testing/harness';
import { environmentFindings, findingsOf, lineOf, reachOf } from './takeover.ts';

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

describe('environments', () => {
  const seen = (environments: Record<string, NodeJS.ProcessEnv>) =>
    environmentFindings(new Map(Object.entries(environments)), '').map(
      ({ where, what }) => `${where} ${what}`,
    );

  it('names a key that two services have, under whatever name and in whatever place of a list', () => {
    const found = seen({
      auth: { BLOB_KEK: 'dev-auth:b3du,dev:c2hhcmVk' },
      documents: { BLOB_KEK: 'dev:c2hhcmVk' },
      wallet: { DATABASE_URL: ['postgres://w', 'hidden@h/w'].join(':') },
      cms: { ADMIN_PASSWORD: 'hidden' },
    });
    expect(found.filter((line) => line.includes('has a secret'))).toEqual([
      'environment of auth has a secret of documents: BLOB_KEK',
      'environment of documents has a secret of auth: BLOB_KEK',
      'environment of wallet has a secret of cms: DATABASE_URL',
      'environment of cms has a secret of wallet: ADMIN_PASSWORD',
    ]);
  });

  it('lets the ends of an edge, and callers of a provider, have the same', () => {
    const secrets = { DOCUMENTS_TO_VISION_SECRETS: 's', SMS_AUTH_TOKEN: 't' };
    const found = seen({ documents: secrets, vision: secrets, cms: { DOCUMENTS_TO_VISION_SECRETS: 's' } });
    expect(found.filter((line) => line.includes('has a secret'))).toEqual([
      'environment of documents has a secret of cms: DOCUMENTS_TO_VISION_SECRETS',
      'environment of vision has a secret of cms: DOCUMENTS_TO_VISION_SECRETS',
    ]);
  });

  it('wants them in the table as they were seen', () => {
    const environments = new Map([['cms', { DATABASE_URL: ['postgres://c', 'hidden@h/c'].join(':') }]]);
    expect(environmentFindings(environments, '| cms | `DATABASE_URL` |')).toEqual([]);
    expect(environmentFindings(environments, '| cms | – |')).toHaveLength(1);
  });
});
