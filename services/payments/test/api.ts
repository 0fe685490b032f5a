/**
 * The payments service for tests, with real Postgres, NATS and Redis and stand-ins for documents and wallet.
 */
import type { paymentsEvents } from '@karaar/contracts/payments/events';
import type { Calculation, Payment } from '@karaar/contracts/payments/http';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import { startBrokerAdmin } from '@karaar/bus';
import { startDocuments, type ChargedDocument, type Documents } from '@karaar/testing/made-up/documents';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startWallet, type Wallet } from './stand-ins.ts';

export type Answer<T = Record<string, unknown>> = { status: number; body: T };
export type Caller = Pick<WorldUser, 'headers'> | undefined;
type Completed = Envelope<EventData<typeof paymentsEvents.paymentCompleted>>;

export type Api = {
  world: ServiceWorld;
  service: Awaited<ReturnType<typeof createApp>>;
  documents: Documents;
  wallet: Wallet;
  call: <T = Record<string, unknown>>(
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>;
  user: (name: string, rupees?: number) => Promise<WorldUser>;
  /** Adds a document of `parties`, the first of them its primary; approved, at ₹1 a day for a week. */
  document: (parties: WorldUser[], change?: Partial<ChargedDocument>) => string;
  calculate: (caller: WorldUser, id: string) => Promise<Calculation>;
  distribute: (
    primary: WorldUser,
    id: string,
    shares: [WorldUser, number][],
    extra?: object,
  ) => Promise<Answer>;
  pay: (caller: WorldUser, id: string, body?: object) => Promise<Answer>;
  payments: (caller: WorldUser, id: string) => Promise<Payment[]>;
  /** Returns every event of a document's payments in the stream, including repetitions. */
  events: (id: string) => Promise<Completed[]>;
  stop: () => Promise<void>;
};

/**
 * Starts the service with its own database.
 * @param env overrides environment variables
 */
export async function startApi(name: string, env: Record<string, string> = {}): Promise<Api> {
  const world = await startServiceWorld(name, { service: 'payments', startBrokerAdmin });
  const documents = await startDocuments(String(world.env['PAYMENTS_TO_DOCUMENTS_SECRETS']));
  const wallet = await startWallet(String(world.env['PAYMENTS_TO_WALLET_SECRETS']));
  Object.assign(world.env, { DOCUMENTS_INTERNAL_URL: documents.url, WALLET_INTERNAL_URL: wallet.url });
  const service = await createApp(
    readConfig({
      ...world.env,
      SWEEP_EVERY_MS: '3600000',
      ...env,
    }),
  );
  const { url } = service;

  const call: Api['call'] = async (caller, method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...caller?.headers,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The caller names the type of the body.
    return { status: response.status, body: (await response.json()) as never };
  };
  return {
    world,
    service,
    documents,
    wallet,
    call,
    user: async (userName, rupees = 0) => {
      const user = await world.addUser(userName);
      wallet.balances.set(user.userId, rupees * 100);
      return user;
    },
    document: documents.add,
    calculate: async (caller, id) =>
      (await call<Calculation>(caller, 'GET', `/payments/document/${id}/calculate`)).body,
    distribute: (primary, id, shares, extra = {}) =>
      call(primary, 'POST', `/payments/document/${id}/setup-distribution`, {
        payment_distributions: shares.map(([user, percentage]) => ({ user_id: user.userId, percentage })),
        ...extra,
      }),
    pay: (caller, id, body = {}) => call(caller, 'POST', `/payments/document/${id}/pay`, body),
    payments: async (caller, id) =>
      (await call<Payment[]>(caller, 'GET', `/payments/document/${id}/payments`)).body,
    events: async (id) =>
      (await messagesOf<Completed>(world.natsUrl, 'EVT_PAYMENTS')).filter(
        ({ type, data }) => type.startsWith('payments.payment.') && data.document_id === id,
      ),
    stop: async () => {
      await service.app.close();
      await service.close();
      await wallet.stop();
      await documents.stop();
      await world.stop();
    },
  };
}
