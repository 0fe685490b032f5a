/**
 * The card provider, behind the few calls that top-ups need. The SDK has no timeout of its own and throws
 * a TypeError on a dead network (design §2.12), so every call is bounded and every fault becomes one of ours.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, unavailable } from '@karaar/platform/errors';
import Razorpay from 'razorpay';

export type ProviderPayment = {
  id: string;
  orderId: string;
  amountPaise: number;
  currency: string;
  captured: boolean;
};

export type CardProvider = {
  createOrder: (amountPaise: number, receipt: string) => Promise<{ id: string; currency: string }>;
  /** The payments of an order, captured or not. */
  paymentsOf: (orderId: string) => Promise<ProviderPayment[]>;
  /** Undefined when the provider does not know the payment. */
  findPayment: (paymentId: string) => Promise<ProviderPayment | undefined>;
  /** Whether the checkout's answer is the provider's own: HMAC-SHA256 of `order|payment`. */
  isCheckoutSignature: (orderId: string, paymentId: string, signature: string) => boolean;
  /** Whether a webhook's raw body is the provider's own, by any secret in force. */
  isWebhookSignature: (rawBody: Buffer, signature: string) => boolean;
};

export type CardProviderOptions = {
  keyId: string;
  keySecret: string;
  webhookSecrets: readonly string[];
  apiUrl: string;
  timeoutMs: number;
};

type SdkPayment = {
  id: string;
  order_id: string;
  amount: number | string;
  currency: string;
  status: string;
};
/** The SDK does not declare its HTTP client, whose bounds must be set. */
type WithTransport = { api: { rq: { defaults: { baseURL: string; timeout: number } } } };

const notAvailable = (cause: unknown) =>
  unavailable(
    'card_provider_unavailable',
    'Card payments are not available right now. Please try again in a moment.',
    cause,
  );

/** Throws 503 when the provider is unreachable, too slow or answers with a fault of its own. */
export function createCardProvider(options: CardProviderOptions): CardProvider {
  const sdk = new Razorpay({ key_id: options.keyId, key_secret: options.keySecret });
  const transport = (sdk as unknown as WithTransport).api.rq.defaults;
  transport.baseURL = options.apiUrl;
  transport.timeout = options.timeoutMs;

  return {
    createOrder: async (amountPaise, receipt) => {
      const order = await call(() => sdk.orders.create({ amount: amountPaise, currency: 'INR', receipt }));
      return { id: order.id, currency: order.currency };
    },
    paymentsOf: async (orderId) => {
      const { items } = await call(() => sdk.orders.fetchPayments(orderId));
      return (items as SdkPayment[]).map(toPayment);
    },
    findPayment: async (paymentId) => {
      try {
        return toPayment((await call(() => sdk.payments.fetch(paymentId))) as SdkPayment);
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return undefined;
        throw error;
      }
    },
    isCheckoutSignature: (orderId, paymentId, signature) =>
      sameHmac(options.keySecret, `${orderId}|${paymentId}`, signature),
    isWebhookSignature: (rawBody, signature) =>
      options.webhookSecrets.some((secret) => sameHmac(secret, rawBody, signature)),
  };
}

/** SDK refusals come as `{statusCode, error}`, everything else is an outage. */
async function call<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const status =
      typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof status === 'number' && status >= 400 && status < 500 && status !== 429) {
      throw new AppError(422, 'card_provider_refused', 'The card provider refused this request.', {
        cause: error,
      });
    }
    throw notAvailable(error);
  }
}

const toPayment = (payment: SdkPayment): ProviderPayment => ({
  id: payment.id,
  orderId: payment.order_id,
  amountPaise: Number(payment.amount),
  currency: payment.currency,
  captured: payment.status === 'captured',
});

function sameHmac(secret: string, message: string | Buffer, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(message).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
