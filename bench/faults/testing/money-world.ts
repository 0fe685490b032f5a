/** Real backing services for wallet and payments, with stubs of the card provider and of documents. */
import { createDb, type Db } from '@karaar/db';
import type { Database as PaymentsDatabase } from '@karaar/service-payments/db/schema';
import type { Database as WalletDatabase } from '@karaar/service-wallet/db/schema';
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { startBrokerAdmin } from '@karaar/bus';
import { startDocuments, type Documents } from '@karaar/testing/made-up/documents';
import { testPostgres } from '@karaar/testing/harness';
import { startRazorpay, type Razorpay } from '@karaar/testing/providers/razorpay';
import { startServiceWorld, type ServiceWorld } from '@karaar/testing/service-world';
import { startBalancer, type Balancer } from '../../lib/balancer.ts';

export type PartName = 'wallet' | 'payments';

export type MoneyWorld = {
  world: ServiceWorld;
  razorpay: Razorpay;
  documents: Documents;
  /** The balancer of the wallets' internal ports; a test adds each wallet that it starts. */
  walletPort: Balancer;
  env: Record<PartName, Record<string, string>>;
  /** The databases of the services, to compare their rows and to make checks due. */
  db: { wallet: Db<WalletDatabase>; payments: Db<PaymentsDatabase> };
  stop: () => Promise<void>;
};

/** Short intervals, so that tests do not wait for the reconciler and the sweeper. */
const HURRY = {
  RECONCILE_EVERY_MS: '100',
  SWEEP_EVERY_MS: '100',
  SWEEP_AFTER_MS: '300',
  RAZORPAY_TIMEOUT_MS: '2000',
};
/** The users also pay without a sufficient balance. */
const ROOM = { UNFUNDED_PER_HOUR: '100000' };
/** An address without a server. */
const NO_SERVER = 'http://127.0.0.1:9';

/**
 * Starts everything but the two services.
 *
 * @param own the test's own broker, instead of the shared one
 */
export async function startMoneyWorld(name: string, own: { natsUrl?: string } = {}): Promise<MoneyWorld> {
  const world = await startServiceWorld(`${name}-wallet`, { service: 'wallet', startBrokerAdmin, ...own });
  const payments = await testPostgres(`${name}-payments`);
  const razorpay = await startRazorpay();
  const documents = await startDocuments(String(world.env['PAYMENTS_TO_DOCUMENTS_SECRETS']));
  const walletPort = await startBalancer();
  const common = { ...world.env, DOCUMENTS_INTERNAL_URL: NO_SERVER, LOG_LEVEL: 'silent' };
  const env: MoneyWorld['env'] = {
    wallet: { ...common, ...razorpay.env, ...HURRY, SERVICE_NAME: 'wallet' },
    payments: {
      ...common,
      ...HURRY,
      ...ROOM,
      SERVICE_NAME: 'payments',
      DOCUMENTS_INTERNAL_URL: documents.url,
      WALLET_INTERNAL_URL: walletPort.url,
      DATABASE_URL: payments.runtimeUrl,
      MIGRATION_DATABASE_URL: payments.url,
      NATS_URL: natsUrlOf(world.natsUrl, 'payments', () => ''),
    },
  };
  const db = {
    wallet: createDb<WalletDatabase>({
      url: env.wallet['DATABASE_URL'] ?? '',
      applicationName: 'test',
      max: 2,
    }),
    payments: createDb<PaymentsDatabase>({ url: payments.url, applicationName: 'test', max: 2 }),
  };
  return {
    world,
    razorpay,
    documents,
    walletPort,
    env,
    db,
    stop: async () => {
      await Promise.all([db.wallet.destroy(), db.payments.destroy()]);
      await documents.stop();
      walletPort.close();
      await razorpay.stop();
      await payments.drop();
      await world.stop();
    },
  };
}
