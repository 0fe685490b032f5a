/** The card provider's checkout: its script is loaded when the first top-up starts (spec §4 Wallet top-up). */
import { walletTexts } from './texts.ts';

/** What the checkout hands over after a payment. */
export type CheckoutAnswer = {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
};

export type CheckoutOutcome =
  { kind: 'paid'; answer: CheckoutAnswer } | { kind: 'cancelled' } | { kind: 'failed'; reason: string };

export type CheckoutOrder = {
  key: string;
  orderId: string;
  /** Paise. */
  amount: number;
  currency: string;
  scriptUrl: string;
  prefill: { name: string; email: string; contact: string };
};

type CheckoutOptions = {
  key: string;
  order_id: string;
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: CheckoutOrder['prefill'];
  handler: (answer: CheckoutAnswer) => void;
  modal: { ondismiss: () => void };
};
type CheckoutFailure = { error?: { description?: string } };
type Checkout = {
  open: () => void;
  on: (event: 'payment.failed', listener: (failure: CheckoutFailure) => void) => void;
};
type CheckoutClass = new (options: CheckoutOptions) => Checkout;

declare global {
  interface Window {
    Razorpay?: CheckoutClass;
  }
}

const DEFAULT_SCRIPT = 'https://checkout.razorpay.com/v1/checkout.js';

function loadScript(src: string): Promise<CheckoutClass> {
  if (window.Razorpay) return Promise.resolve(window.Razorpay);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      // A further attempt asks for the script again.
      script.remove();
      reject(new Error('The checkout could not be loaded'));
    };
    script.src = src;
    script.async = true;
    script.addEventListener('load', () => (window.Razorpay ? resolve(window.Razorpay) : fail()));
    script.addEventListener('error', fail);
    document.head.append(script);
  });
}

/**
 * Opens the checkout for an order and waits for its end. A failed try leaves the checkout open for another one;
 * the outcome is `failed` only when the user then closes it without having paid.
 * @throws when the script cannot be loaded
 */
export async function runCheckout(order: CheckoutOrder): Promise<CheckoutOutcome> {
  const Razorpay = await loadScript(order.scriptUrl || DEFAULT_SCRIPT);
  return new Promise((resolve) => {
    let failure: string | null = null;
    const checkout = new Razorpay({
      key: order.key,
      order_id: order.orderId,
      amount: order.amount,
      currency: order.currency,
      name: walletTexts.say('merchant'),
      description: walletTexts.say('purpose'),
      prefill: order.prefill,
      handler: (answer) => resolve({ kind: 'paid', answer }),
      modal: {
        ondismiss: () =>
          resolve(failure === null ? { kind: 'cancelled' } : { kind: 'failed', reason: failure }),
      },
    });
    checkout.on('payment.failed', ({ error }) => {
      failure = error?.description || walletTexts.say('payFailed');
    });
    checkout.open();
  });
}
