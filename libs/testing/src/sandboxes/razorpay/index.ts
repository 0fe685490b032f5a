import type { FastifyInstance } from 'fastify';
import type { SandboxConfig } from '../config.ts';
import { openJournal } from '../journal.ts';
import { razorpayApi } from './api-routes.ts';
import { razorpayCheckout } from './checkout-routes.ts';
import { razorpayDev } from './dev-routes.ts';
import { Ledger } from './ledger.ts';
import { ModeSwitch, type ApiMode } from './modes.ts';
import { Webhooks } from './webhooks.ts';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/** 1 s, 2 s, 4 s … 60 s. */
export const patientRetries = (tries: number) => Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));

/**
 * Registers the card provider: at the root, for servers with the sandbox as base URL, and below
 * `/sandbox/razorpay`, for browsers through the gateway.
 *
 * @returns its ledger and the behaviour of its API, for tests in the same process
 */
export async function registerRazorpay(
  app: FastifyInstance,
  config: Pick<SandboxConfig, 'razorpay' | 'stateDir'>,
  retryMs: (tries: number) => number = patientRetries,
): Promise<{ ledger: Ledger; apiMode: ModeSwitch<ApiMode> }> {
  const { keyId, keySecret, webhookSecret, webhookUrl } = config.razorpay;
  const journal = openJournal(config.stateDir, 'razorpay');
  const ledger = new Ledger(journal, keySecret);
  const log = (text: string) => app.log.warn(text);
  const webhooks = new Webhooks({ url: webhookUrl, secret: webhookSecret, journal, retryMs, log });
  const apiMode = new ModeSwitch<ApiMode>();
  app.addHook('onClose', async () => webhooks.stop());
  for (const prefix of ['', '/sandbox/razorpay']) {
    await app.register(razorpayApi, { prefix, ledger, webhooks, mode: apiMode, keyId, keySecret });
    await app.register(razorpayCheckout, { prefix, ledger, webhooks, keyId });
  }
  await app.register(razorpayDev, { ledger, webhooks, apiMode });
  return { ledger, apiMode };
}
