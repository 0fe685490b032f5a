/**
 * The client of the card provider. The SDK has no timeout of its own and throws a TypeError on a dead network
 * (design §2.12), so every call is bounded and every fault becomes an `AppError`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { AppError } from '@karaar/base/errors';
import Razorpay from 'razorpay';
import { Type } from 'typebox';
import type { Config } from '../../config.ts';
import { createProviderBooks, type ProviderBooks } from './provider-books.ts';
import { asRefusal, call, transportOf } from './provider-call.ts';
import {
  PaymentEntity,
  RefundEntity,
  toPayment,
  toRefund,
  type ProviderPayment,
  type ProviderRefund,
} from './provider-entities.ts';

export type { ProviderDispute, ProviderPayment, ProviderRefund } from './provider-entities.ts';

export type CardProvider = {
  createOrder: (amountPaise: number, receipt: string) => Promise<{ id: string; currency: string }>;
  paymentsOf: (orderId: string) => Promise<ProviderPayment[]>;
  findPayment: (paymentId: string) => Promise<ProviderPayment | undefined>;
  /** Sends money of a payment back to its card; `receipt` is our id of this refund. */
  refund: (paymentId: string, amountPaise: number, receipt: string) => Promise<ProviderRefund>;
  /** Returns the refund that the provider has under our id, or undefined. */
  findRefund: (paymentId: string, receipt: string) => Promise<ProviderRefund | undefined>;
  books: ProviderBooks;
  /** Returns true if the provider signed the checkout's answer: HMAC-SHA256 of `order|payment`. */
  isCheckoutSignature: (orderId: string, paymentId: string, signature: string) => boolean;
  /** Returns true if the provider signed the raw body with any valid secret. */
  isWebhookSignature: (rawBody: Buffer, signature: string) => boolean;
};

export type CardProviderOptions = {
  keyId: string;
  keySecret: string;
  webhookSecrets: readonly string[];
  apiUrl: string;
  timeoutMs: number;
};

export const providerOptions = (config: Config): CardProviderOptions => ({
  keyId: config.RAZORPAY_KEY_ID,
  keySecret: config.RAZORPAY_KEY_SECRET,
  webhookSecrets: config.RAZORPAY_WEBHOOK_SECRETS,
  apiUrl: config.RAZORPAY_API_URL,
  timeoutMs: config.RAZORPAY_TIMEOUT_MS,
});

/** The required fields: a proxy's error page with status 200 must not pass. */
const Order = Type.Object({ id: Type.String({ minLength: 1 }), currency: Type.String() });
/** The provider's largest page. */
const REFUNDS_PAGE = 100;
const Refunds = Type.Object({ items: Type.Array(RefundEntity) });
const Payments = Type.Object({ items: Type.Array(PaymentEntity) });

/** Ids become part of a URL, so nothing else may pass. */
const PAYMENT_ID = /^[A-Za-z0-9_]+$/;
/**
 * Late authorisation: a bank may approve a payment up to five days after the attempt. All of them are
 * captured.
 */
const CAPTURE_WITHIN_MIN = 5 * 24 * 60;
const AUTOMATIC_CAPTURE = {
  capture: 'automatic',
  capture_options: {
    automatic_expiry_period: CAPTURE_WITHIN_MIN,
    manual_expiry_period: CAPTURE_WITHIN_MIN,
    refund_speed: 'normal',
  },
} as const;

/**
 * Returns a client whose calls throw 503 if the provider is unreachable, too slow or answers with a fault.
 */
export function createCardProvider(options: CardProviderOptions): CardProvider {
  const sdk = new Razorpay({ key_id: options.keyId, key_secret: options.keySecret });
  const transport = transportOf(sdk);
  transport.defaults.baseURL = options.apiUrl;
  transport.defaults.timeout = options.timeoutMs;
  // A connection for each call, because a call fails on a kept one that the provider is just closing.
  transport.defaults.httpAgent = new HttpAgent({ keepAlive: false });
  transport.defaults.httpsAgent = new HttpsAgent({ keepAlive: false });

  return {
    createOrder: (amountPaise, receipt) =>
      // Set per order, so that capture does not depend on a setting in the provider's dashboard.
      call(Order, () =>
        sdk.orders.create({ amount: amountPaise, currency: 'INR', receipt, payment: AUTOMATIC_CAPTURE }),
      ),
    paymentsOf: async (orderId) =>
      (await call(Payments, () => sdk.orders.fetchPayments(orderId))).items.map(toPayment),
    findPayment: async (paymentId) => {
      if (!PAYMENT_ID.test(paymentId)) return undefined;
      try {
        return toPayment(await call(PaymentEntity, () => sdk.payments.fetch(paymentId)));
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return undefined;
        throw error;
      }
    },
    refund: async (paymentId, amountPaise, receipt) => {
      // The SDK cannot send headers. With this one the provider makes a refund once, however often it is
      // requested.
      const headers = { 'X-Refund-Idempotency': receipt };
      const body = { amount: amountPaise, receipt };
      const ask = () => transport.post(`/v1/payments/${paymentId}/refund`, body, { headers });
      return toRefund(await call(RefundEntity, async () => (await ask().catch(asRefusal)).data));
    },
    findRefund: async (paymentId, receipt) => {
      for (let skip = 0; ; skip += REFUNDS_PAGE) {
        const page = { count: REFUNDS_PAGE, skip };
        const { items } = await call(Refunds, () => sdk.payments.fetchMultipleRefund(paymentId, page));
        const found = items.find((refund) => refund.receipt === receipt);
        if (found) return toRefund(found);
        if (items.length < REFUNDS_PAGE) return undefined;
      }
    },
    books: createProviderBooks(transport),
    isCheckoutSignature: (orderId, paymentId, signature) =>
      sameHmac(options.keySecret, `${orderId}|${paymentId}`, signature),
    isWebhookSignature: (rawBody, signature) =>
      options.webhookSecrets.some((secret) => sameHmac(secret, rawBody, signature)),
  };
}

function sameHmac(secret: string, message: string | Buffer, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(message).digest();
  const actual = Buffer.from(signature, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
