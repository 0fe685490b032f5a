/**
 * The frame of the card provider's checkout: it loads the provider's script, opens the checkout for the order
 * from the screen, and reports the outcome. This document contains no other part of the product.
 */
import type { CheckoutAnswer, CheckoutEvent, CheckoutOrder, CheckoutRequest } from '@karaar/api-client';

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

const postEvent = (event: CheckoutEvent): void => window.parent.postMessage(event, location.origin);

function loadScript(src: string): Promise<CheckoutClass> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => reject(new Error('The checkout could not be loaded'));
    script.src = src;
    script.addEventListener('load', () => (window.Razorpay ? resolve(window.Razorpay) : fail()));
    script.addEventListener('error', fail);
    document.head.append(script);
  });
}

/**
 * After a failed payment the checkout stays open for a retry; it is reported only if the user then closes it
 * unpaid.
 */
async function open(order: CheckoutOrder): Promise<void> {
  const Razorpay = await loadScript(order.scriptUrl);
  let failure: string | null = null;
  const checkout = new Razorpay({
    key: order.key,
    order_id: order.orderId,
    amount: order.amount,
    currency: order.currency,
    name: order.merchant,
    description: order.purpose,
    prefill: order.prefill,
    handler: (answer) => postEvent({ type: 'checkout:paid', answer }),
    modal: { ondismiss: () => postEvent({ type: 'checkout:closed', failure }) },
  });
  checkout.on('payment.failed', ({ error }) => {
    failure = error?.description ?? '';
  });
  checkout.open();
}

window.addEventListener('message', (message: MessageEvent<CheckoutRequest>) => {
  if (message.source !== window.parent || message.origin !== location.origin) return;
  if (message.data.type !== 'checkout:open') return;
  open(message.data.order).catch((error: unknown) => {
    reportError(error);
    postEvent({ type: 'checkout:unavailable' });
  });
});
postEvent({ type: 'checkout:ready' });
