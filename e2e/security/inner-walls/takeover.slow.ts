/** The takeover drill finds a broker and a Redis that do not distinguish services, and secrets in wrong places. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { redisUrlOf } from '@karaar/testing/backing/redis';
import { testNats, testRedis } from '@karaar/testing/harness';
import { environmentFindings, findingsOf, lineOf, reachOf } from './takeover.ts';
import { secretWords } from './takeover/environment.ts';
import { openedBy, type InternalPorts } from './takeover/internal-ports.ts';

const nothing = {
  broker: { asks: [], says: [], reads: [], takes: [], hears: [], forges: [], shapes: [] },
  calls: [],
  redis: [],
  databases: [],
};

it('finds every right in one user for all services', async () => {
  const broker = await testNats();
  const reach = await reachOf('messaging', { broker, redis: await testRedis(), database: undefined });
  const found = findingsOf([reach], '').map(({ what }) => what);
  for (const what of [
    'may send the request rpc.payments.stop-charge.v1.documents, which is not in its name',
    'may publish events of payments',
    'may subscribe to evt.>',
    'may take messages of the consumer auth__shared-created__documents_document_created_v1',
    'may reach a stream: DELETE wallet',
  ])
    expect(found).toContain(what);
  expect(reach.redis).toContain('open sessions');
}, 120_000);

it('finds nothing with the users of the contracts and a matching table', async () => {
  const own = natsUrlOf(await testNats(), 'messaging', () => '');
  const redis = redisUrlOf(await testRedis(), 'messaging', (name) => name);
  const reach = await reachOf('messaging', { broker: own, redis, database: undefined });
  expect(reach.broker).toMatchObject({ says: ['messaging'], takes: [], hears: [], forges: [], shapes: [] });
  expect(reach.broker.reads).toContain('documents.document.created');
  expect(reach.redis).toEqual(['see sessions', 'tell who is there', 'speak between chat processes']);
  expect(findingsOf([reach], lineOf(reach))).toEqual([]);
  expect(findingsOf([reach], '')).toHaveLength(1);
}, 120_000);

it('finds a database of another service', () => {
  const other = { ...nothing, user: 'cms' as const, databases: ['karaar_wallet'] };
  expect(findingsOf([other], lineOf(other)).map(({ what }) => what)).toEqual([
    'may open the database karaar_wallet',
  ]);
});

describe('internal ports', () => {
  /** Accepts these secrets; an empty one is a request without a secret. */
  const withPorts = async (known: readonly string[], work: (ports: InternalPorts) => Promise<void>) => {
    const server = createServer((request, response) => {
      const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
      response.writeHead(known.includes(secret) ? 400 : 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await work({ vision: url, documents: url, wallet: url });
    } finally {
      server.close();
    }
  };
  const DOCUMENTS_ROUTES = ['account-sheet', 'chargeable', 'step-up'].map(
    (name) => `documents /internal/${name}`,
  );
  const WALLET_ROUTES = ['debit', 'cancel-debit', 'reverse-debit'].map((name) => `wallet /internal/${name}`);

  it('finds the routes that a secret opens although no contract allows it', () =>
    withPorts(['w'], async (ports) => {
      expect(await openedBy([undefined], ports)).toEqual([]);
      const secrets = secretWords({ WALLET_TO_DOCUMENTS_SECRETS: 'old,w' });
      const calls = await openedBy(secrets, ports, 'wallet');
      expect(calls).toEqual(['vision /internal/check', ...DOCUMENTS_ROUTES]);
      const wallet = { ...nothing, user: 'wallet' as const, calls };
      expect(findingsOf([wallet], lineOf(wallet)).map(({ what }) => what)).toEqual([
        'may call vision /internal/check without a contract',
        'may call documents /internal/chargeable without a contract',
        'may call documents /internal/step-up without a contract',
      ]);
    }));

  it('finds a process that can debit wallets with a secret in any variable', () =>
    withPorts(['p'], async (ports) => {
      expect(await openedBy(secretWords({ SOME_SECRET: 'other,p' }), ports, 'messaging')).toEqual(
        expect.arrayContaining(WALLET_ROUTES),
      );
      expect(await openedBy(secretWords({ SOME_SECRET: 'other' }), ports, 'cms')).toEqual([]);
    }));

  it('finds routes that open without a secret', () =>
    withPorts([''], async (ports) => {
      expect(await openedBy([undefined], ports)).toEqual([
        'vision /internal/check',
        ...DOCUMENTS_ROUTES,
        ...WALLET_ROUTES,
      ]);
    }));
});

describe('environments', () => {
  const seen = (environments: Record<string, NodeJS.ProcessEnv>) =>
    environmentFindings(new Map(Object.entries(environments)), '').map(
      ({ where, what }) => `${where} ${what}`,
    );

  it('finds a key that two services have, in any variable and at any place of a list', () => {
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

  it('allows the same secret at both ends of a service credential and at the callers of a provider', () => {
    const secrets = { DOCUMENTS_TO_VISION_SECRETS: 's', SMS_AUTH_TOKEN: 't' };
    const found = seen({ documents: secrets, vision: secrets, cms: { DOCUMENTS_TO_VISION_SECRETS: 's' } });
    expect(found.filter((line) => line.includes('has a secret'))).toEqual([
      'environment of documents has a secret of cms: DOCUMENTS_TO_VISION_SECRETS',
      'environment of vision has a secret of cms: DOCUMENTS_TO_VISION_SECRETS',
    ]);
  });

  it('finds differences from the table', () => {
    const environments = new Map([['cms', { DATABASE_URL: ['postgres://c', 'hidden@h/c'].join(':') }]]);
    expect(environmentFindings(environments, '| cms | `DATABASE_URL` |')).toEqual([]);
    expect(environmentFindings(environments, '| cms | – |')).toHaveLength(1);
  });
});
