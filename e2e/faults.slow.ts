/** The main job while documents, wallet or the broker are killed, and while services are down. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct, type Product } from '@karaar/dev/product';
import { listIn } from '@karaar/testing/list-in';
import { jest } from '@jest/globals';
import {
  agree,
  bearAlone,
  createDocument,
  documentFields,
  finalize,
  payAlone,
  RAW_TEXTS,
  topUp,
} from './src/journey.ts';
import { inspectPdf } from './src/pdf.ts';
import { newPerson, type Person } from './src/person.ts';

jest.setTimeout(240_000);

let product: Product;
let serial = 0;

beforeAll(async () => {
  product = await startProduct({
    stateDir: await mkdtemp(join(tmpdir(), 'karaar-e2e-kill-')),
    quiet: true,
    web: false,
    env: { LOG_LEVEL: 'warn' },
  });
}, 180_000);
afterAll(() => product.stop({ remove: true }), 60_000);

async function twoPeople(): Promise<{ owner: Person; guest: Person }> {
  serial += 1;
  return {
    owner: await newPerson(product.url, 'Meera Nair', `+9197000000${serial}1`),
    guest: await newPerson(product.url, 'विक्रम शाह', `+9197000000${serial}2`),
  };
}

/** Kills a process several times while `run` is in progress. */
async function whileKilling<T>(kill: () => Promise<void>, run: () => Promise<T>): Promise<T> {
  let done = false;
  const killer = (async () => {
    for (let n = 0; n < 3 && !done; n += 1) {
      await sleep(250 + n * 400);
      if (!done) await kill();
    }
  })();
  try {
    return await run();
  } finally {
    done = true;
    await killer;
  }
}

const killService = (name: 'documents' | 'wallet') => async () => {
  product.process(name).kill('SIGKILL');
  await product.process(name).waitReady(60_000);
};
const killBroker = async () => {
  const broker = product.backing.part('nats');
  broker.kill('SIGKILL');
  await broker.waitReady(60_000);
};

/** Checks with each service that nothing is lost or applied twice. */
async function expectExactlyOnce(owner: Person, id: string): Promise<void> {
  const { body: transactions } = await owner.call('GET', '/wallet/transactions');
  expect(
    listIn<{ type: string; amount: number }>(transactions).map(({ type, amount }) => ({
      type,
      amount,
    })),
  ).toEqual([
    { type: 'debit', amount: 7 },
    { type: 'credit', amount: 100 },
  ]);
  const { body: payments } = await owner.call('GET', `/payments/document/${id}/payments`);
  expect(listIn<{ status: string }>(payments).map((payment) => payment.status)).toEqual(['completed']);
  expect((await owner.call('GET', '/wallet/balance')).body['balance']).toBe(93);
  const lines = async () =>
    listIn<{ type: string }>((await owner.call('GET', `/documents/${id}/events`)).body).map(
      (event) => event.type,
    );
  for (let i = 0; i < 100 && !(await lines()).includes('payment.completed'); i += 1) await sleep(200);
  const history = await lines();
  for (const type of [
    'document.created',
    'party.accepted',
    'document.approved',
    'payment.completed',
    'document.finalized',
  ]) {
    expect({ type, count: history.filter((line) => line === type).length }).toEqual({ type, count: 1 });
  }
}

async function journey(owner: Person, guest: Person): Promise<{ id: string; pdf: Uint8Array }> {
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  await topUp(product.url, owner, 100);
  await payAlone(owner, id);
  return { id, pdf: await finalize(owner, id) };
}

describe.each([
  ['documents', killService('documents')],
  ['wallet', killService('wallet')],
  ['the broker', killBroker],
] as const)('with %s killed repeatedly', (_name, kill) => {
  it('the journey completes, and every event has its effect exactly once', async () => {
    const { owner, guest } = await twoPeople();
    const { id, pdf } = await whileKilling(kill, () => journey(owner, guest));
    await expectExactlyOnce(owner, id);
    const facts = await inspectPdf(pdf);
    expect(facts.seal).toContain('Signature is Valid');
    expect(facts.seal).toContain('Total document signed');
    for (const text of [...Object.values(RAW_TEXTS), owner.name]) expect(facts.text).toContain(text);
  });
});

describe('a service that is down', () => {
  it('is reported within seconds, leaves no partial state, and everything works once it is back', async () => {
    const { owner, guest } = await twoPeople();
    const id = await createDocument(owner);
    await agree(owner, guest, id);
    await topUp(product.url, owner, 10);
    await bearAlone(owner, id);

    for (const [name, calls] of [
      [
        'wallet',
        [
          ['GET', '/wallet/balance'],
          ['POST', `/payments/document/${id}/pay`, {}],
        ],
      ],
      [
        'documents',
        [
          ['GET', '/documents/my-documents'],
          ['GET', `/payments/document/${id}/calculate`],
        ],
      ],
      ['payments', [['GET', '/payments/my-payments']]],
      ['messaging', [['GET', '/messaging/unread-count']]],
      ['cms', [['GET', '/cms/pages']]],
      [
        'auth',
        [
          ['GET', '/users/profile'],
          ['POST', '/auth/send-otp', { phone_no: owner.phone }],
        ],
      ],
    ] as const) {
      await product.process(name).stop();
      for (const [method, path, body] of calls) {
        const answer = await owner.once(method, path, body);
        expect({ path, status: answer.status }).toEqual({ path, status: 503 });
        expect(answer.body['detail']).toMatch(/not available right now|again/);
        expect(answer.ms).toBeLessThan(10_000);
      }
      const health = await fetch(`${product.url}/api/health`);
      expect(health.status).toBe(503);
      expect(await health.json()).toMatchObject({ status: 'degraded', services: { [name]: 'failed' } });
      await product.process(name).start();
    }

    // The sweeper or the next attempt completes the missing debit, once.
    await owner.call('POST', `/payments/document/${id}/pay`, {});
    expect((await owner.call('GET', '/wallet/balance')).body['balance']).toBe(3);
    expect((await fetch(`${product.url}/api/health`)).status).toBe(200);
  });

  it('creates no document when photos cannot be checked', async () => {
    const { owner } = await twoPeople();
    await product.process('vision').stop();
    const refused = await owner.send('/documents/create', await documentFields(), {
      expected: [503],
    });
    expect(refused.body['detail']).toMatch(/not available right now/);
    expect((await owner.call('GET', '/documents/my-documents')).body).toEqual([]);
    await product.process('vision').start();
    expect(await createDocument(owner)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
