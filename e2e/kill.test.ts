/**
 * The main job while parts are killed: whatever dies, the journey completes once the part is back, and every
 * fact has its effect exactly once. Documents, wallet and the broker, each in the middle of its own work.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct, type Product } from '@karaar/dev/product';
import { jest } from '@jest/globals';
import { agree, createDocument, finalize, payAlone, RAW_TEXTS, topUp } from './src/journey.ts';
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

/** Kills again and again while something runs: each time at another moment of it. */
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

/** Nothing lost, nothing applied twice, by the word of every service. */
async function expectExactlyOnce(owner: Person, id: string): Promise<void> {
  const { body: transactions } = await owner.call('GET', '/wallet/transactions');
  expect(
    (transactions as unknown as { type: string; amount: number }[]).map(({ type, amount }) => ({
      type,
      amount,
    })),
  ).toEqual([
    { type: 'debit', amount: 7 },
    { type: 'credit', amount: 100 },
  ]);
  const { body: payments } = await owner.call('GET', `/payments/document/${id}/payments`);
  expect((payments as unknown as { status: string }[]).map((payment) => payment.status)).toEqual([
    'completed',
  ]);
  expect((await owner.call('GET', '/wallet/balance')).body['balance']).toBe(93);
  const lines = async () =>
    ((await owner.call('GET', `/documents/${id}/events`)).body as unknown as { type: string }[]).map(
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
] as const)('with %s killed again and again', (_name, kill) => {
  it('the journey completes, and every fact has its effect once', async () => {
    const { owner, guest } = await twoPeople();
    const { id, pdf } = await whileKilling(kill, () => journey(owner, guest));
    await expectExactlyOnce(owner, id);
    const facts = await inspectPdf(pdf);
    expect(facts.seal).toContain('Signature is Valid');
    expect(facts.seal).toContain('Total document signed');
    for (const text of [...Object.values(RAW_TEXTS), owner.name]) expect(facts.text).toContain(text);
  });
});
