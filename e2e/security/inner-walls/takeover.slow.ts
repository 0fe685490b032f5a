/** The takeover drill finds a broker and a Redis that make no difference between services. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { redisUrlOf } from '@karaar/testing/backing/redis';
import { testNats, testRedis } from '@karaar/testing/harness';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { startInternalPort } from '@karaar/testing/internal-port';
import { moversOfMoney } from './takeover/money.ts';
import { environmentFindings, findingsOf, lineOf, reachOf } from './takeover.ts';
import { callableBy, openToAll } from './takeover/internal-ports.ts';

const nobody = {
  broker: { asks: [], says: [], reads: [], takes: [], hears: [], forges: [], shapes: [] },
  calls: [],
  redis: [],
  databases: [],
};

it('finds everything in what was one user for all', async () => {
  const broker = await testNats();
  const reach = await reachOf('messaging', { broker, redis: await testRedis(), database: undefined });
  const found = findingsOf([reach], '').map(({ what }) => what);
  for (const what of [
    'asks rpc.payments.stop-charge.v1.documents in a name that is not its own',
    'says events of payments',
    'hears evt.>',
    'takes the events of auth__shared-created__documents_document_created_v1',
    'reaches a stream: DELETE wallet',
  ])
    expect(found).toContain(what);
  expect(reach.redis).toContain('open sessions');
}, 120_000);

it('finds nothing with the users of the contracts, where the table says the same', async () => {
  const own = natsUrlOf(await testNats(), 'messaging', () => '');
  const redis = redisUrlOf(await testRedis(), 'messaging', (name) => name);
  const reach = await reachOf('messaging', { broker: own, redis, database: undefined });
  expect(reach.broker).toMatchObject({ says: ['messaging'], takes: [], hears: [], forges: [], shapes: [] });
  expect(reach.broker.reads).toContain('documents.document.created');
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

describe('internal ports', () => {
  let asked: string[];
  /** Takes these secrets; others, and nobody, are strangers. */
  const portOf = async (known: readonly string[]) => {
    const server = createServer((request, response) => {
      const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
      asked.push(`${request.method} ${request.url} ${secret}`);
      response.writeHead(known.includes(secret) ? 400 : 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
  };
  const environments = new Map<string, NodeJS.ProcessEnv>([
    ['documents', { DOCUMENTS_TO_VISION_SECRETS: 'new,old', BLOB_KEK: 'kek' }],
    ['wallet', { WALLET_TO_DOCUMENTS_SECRETS: 'w' }],
  ]);
  beforeEach(() => void (asked = []));

  it('are opened by the secrets of their callers, and by no other word of an environment', async () => {
    const port = await portOf(['old', 'w']);
    const ports = { vision: port.url, documents: port.url, wallet: port.url };
    try {
      expect(await openToAll(ports)).toEqual([]);
      // All ports take both here, as where one secret serves all.
      const calls = await callableBy('wallet', environments, ports);
      expect(calls).toEqual([
        'vision /internal/check',
        'documents /internal/account-sheet',
        'documents /internal/chargeable',
        'documents /internal/step-up',
      ]);
      const wallet = { ...nobody, user: 'wallet' as const, calls };
      expect(findingsOf([wallet], lineOf(wallet)).map(({ what }) => what)).toEqual([
        'calls vision /internal/check, which no contract lets it',
        'calls documents /internal/chargeable, which no contract lets it',
        'calls documents /internal/step-up, which no contract lets it',
      ]);
      expect(await callableBy('documents', environments, ports)).toContain('vision /internal/check');
      expect(asked.some((line) => line.includes('kek'))).toBe(false);
    } finally {
      port.close();
    }
  });

  it('that ask for nothing are found', async () => {
    const port = await portOf(['']);
    const ports = { vision: port.url, documents: port.url, wallet: port.url };
    try {
      expect(await openToAll(ports)).toEqual([
        'vision /internal/check',
        'documents /internal/account-sheet',
        'documents /internal/chargeable',
        'documents /internal/step-up',
        'wallet /internal/debit',
        'wallet /internal/cancel-debit',
        'wallet /internal/reverse-debit',
      ]);
    } finally {
      port.close();
    }
  });
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

  it('lets the ends of a service credential, and callers of a provider, have the same', () => {
    const secrets = { DOCUMENTS_TO_VISION_SECRETS: 's', SMS_AUTH_TOKEN: 't' };
    const found = seen({ documents: secrets, vision: secrets, cms: { DOCUMENTS_TO_VISION_SECRETS: 's' } });
    expect(found.filter((line) => line.includes('has a secret'))).toEqual([
      'environment of documents has a secret of cms: DOCUMENTS_TO_VISION_SECRETS',
      'environment of vision has a secret of cms: DOCUMENTS_TO_VISION_SECRETS',
    ]);
  });

  it('name who is let in where money is moved, by whatever variable', async () => {
    const secret = 'p'.repeat(43);
    const nothing = { status: 422, code: 'validation', detail: 'is required' };
    const refuse = () => {
      throw Object.assign(new Error(nothing.detail), nothing);
    };
    const port = await startInternalPort(secret, { [walletInternalRpc.debit.path]: refuse });
    const environments = new Map<string, NodeJS.ProcessEnv>([
      ['payments', { PAYMENTS_TO_WALLET_SECRETS: secret }],
      ['messaging', { SOME_SECRET: `other,${secret}` }],
      ['cms', { SOME_SECRET: 'other' }],
    ]);
    expect(await moversOfMoney(environments, port.url)).toEqual(['payments', 'messaging']);
    await port.close();
  });

  it('wants them in the table as they were seen', () => {
    const environments = new Map([['cms', { DATABASE_URL: ['postgres://c', 'hidden@h/c'].join(':') }]]);
    expect(environmentFindings(environments, '| cms | `DATABASE_URL` |')).toEqual([]);
    expect(environmentFindings(environments, '| cms | – |')).toHaveLength(1);
  });
});
