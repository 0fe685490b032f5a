/** The wallet service for tests, with real Postgres, NATS and Redis and a fake card provider. */
import { randomUUID } from 'node:crypto';
import type { DeletionBlocker } from '@karaar/contracts/auth/http';
import type { InternalRpcResponse, InternalRpcRequest } from '@karaar/contracts/kit';
import { deletionRpc } from '@karaar/contracts/personal-data';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { startBrokerAdmin } from '@karaar/bus';
import { createPrinter } from '@karaar/http/print';
import { createInternalRpcClient, type Ask } from '@karaar/service/internal-rpc';
import { listIn } from '@karaar/testing/list-in';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { batchDebits } from '../src/features/ledger/batched-debits.ts';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { checkLedger } from '../src/features/ledger/ledger-check.ts';
import { createCardProvider, providerOptions } from '../src/features/provider/card-provider.ts';
import {
  startRazorpay,
  type Checkout,
  type Webhook,
  type Razorpay,
} from '@karaar/testing/providers/razorpay';

/** An address where no server listens; tests that print set another one. */
const NOBODY = 'http://127.0.0.1:9';

export type Answer = { status: number; body: Record<string, unknown> };
type Debit = InternalRpcRequest<typeof walletInternalRpc.debit>;

export type Api = {
  world: ServiceWorld;
  payments: Map<string, DeletionBlocker[]>;
  razorpay: Razorpay;
  service: Awaited<ReturnType<typeof createApp>>;
  /** The service's context, with which a test runs the workers. */
  ctx: Context;
  /** Calls the internal port as payments does. */
  ask: Ask;
  call: (
    user: Pick<WorldUser, 'headers'> | undefined,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Answer>;
  order: (user: WorldUser, rupees: number) => Promise<string>;
  verify: (user: WorldUser, checkout: Partial<Checkout>) => Promise<Answer>;
  deliver: (webhook: Webhook) => Promise<Answer>;
  /** Opens, pays and verifies an order. */
  topUp: (user: WorldUser, rupees: number) => Promise<void>;
  balance: (user: WorldUser) => Promise<number>;
  transactions: (user: WorldUser, query?: string) => Promise<Record<string, unknown>[]>;
  debit: (request: Debit) => Promise<InternalRpcResponse<typeof walletInternalRpc.debit>>;
  sound: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Returns a debit as payments requests it, with a new key. */
export const debitOf = (payer: WorldUser, rupees: number, change: { idempotency_key?: string } = {}) => ({
  idempotency_key: `payment:${randomUUID()}`,
  user_id: payer.userId,
  amount_paise: Math.round(rupees * 100),
  description: 'Payment for Rent agreement',
  reference: 'doc-1',
  ...change,
});

type Env = Record<string, string>;

/** Starts the service with its own database; `overrides` replace its variables. */
export async function startApi(
  name: string,
  overrides: Env | ((env: Env) => Promise<Env>) = {},
): Promise<Api> {
  const world = await startServiceWorld(name, { service: 'wallet', startBrokerAdmin });
  const env = typeof overrides === 'function' ? await overrides(world.env) : overrides;
  const razorpay = await startRazorpay();
  // The workers never run by themselves in a test.
  const config = readConfig({
    ...world.env,
    ...razorpay.env,
    DOCUMENTS_INTERNAL_URL: NOBODY,
    RECONCILE_EVERY_MS: '3600000',
    ...env,
  });
  const service = await createApp(config);
  const { url } = service;
  const payments: Api['payments'] = new Map();
  await world.serve(deletionRpc.payments, ({ user_id }) => ({ blockers: payments.get(user_id) ?? [] }));
  const ask = createInternalRpcClient(
    service.innerUrl,
    config.PAYMENTS_TO_WALLET_SECRETS,
    service.foundation.logger,
  );

  const call: Api['call'] = (user, method, path, body) =>
    request(`${url}${path}`, {
      method,
      headers: { ...user?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const order: Api['order'] = async (user, amount) => {
    const { status, body } = await call(user, 'POST', '/wallet/create-razorpay-order', { amount });
    if (status !== 200) throw new Error(`order answered ${status}: ${JSON.stringify(body)}`);
    return String((body['order'] as Record<string, unknown>)['id']);
  };
  const verify: Api['verify'] = (user, checkout) =>
    call(user, 'POST', '/wallet/verify-razorpay-payment', checkout);

  return {
    world,
    payments,
    razorpay,
    service,
    ctx: {
      ...service.foundation,
      config,
      provider: createCardProvider(providerOptions(config)),
      print: createPrinter(config.DOCUMENTS_INTERNAL_URL, config.WALLET_TO_DOCUMENTS_SECRETS),
      debit: batchDebits(service.foundation.db),
    },
    ask,
    call,
    order,
    verify,
    deliver: ({ body, headers }) =>
      request(`${url}/wallet/razorpay-webhook`, { method: 'POST', headers, body }),
    topUp: async (user, rupees) => {
      const payment = razorpay.pay(await order(user, rupees));
      const { status } = await verify(user, razorpay.checkoutOf(payment));
      if (status !== 200) throw new Error(`verify answered ${status}`);
    },
    balance: async (user) => Number((await call(user, 'GET', '/wallet/balance')).body['balance']),
    transactions: async (user, query = '') =>
      listIn<Record<string, unknown>>((await call(user, 'GET', `/wallet/transactions${query}`)).body),
    debit: (request) => ask(walletInternalRpc.debit, request),
    sound: async () => {
      expect(await checkLedger(service.foundation.db)).toMatchObject({ totalPaise: '0', faults: [] });
    },
    stop: async () => {
      await service.app.close();
      await service.close();
      await razorpay.stop();
      await world.stop();
    },
  };
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
