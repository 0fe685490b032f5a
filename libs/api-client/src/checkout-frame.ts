/**
 * What a screen and the checkout's frame say to each other. The card provider's script runs in a document of its own
 * (apps/shell/src/checkout), which alone may load it: the pages of the product take no foreign script.
 */

/** Where the frame's document is. */
export const CHECKOUT_FRAME = '/checkout.html';

/** What the checkout hands over after a payment. */
export type CheckoutAnswer = {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
};

/** What is to be paid, and the words for it. */
export type CheckoutOrder = {
  key: string;
  orderId: string;
  /** Paise. */
  amount: number;
  currency: string;
  scriptUrl: string;
  merchant: string;
  purpose: string;
  prefill: { name: string; email: string; contact: string };
};

/** From the screen, once the frame is ready. */
export type CheckoutRequest = { type: 'checkout:open'; order: CheckoutOrder };

/** From the frame. `closed` has the reason of the last failed try, null when there was none, '' when it gave none. */
export type CheckoutEvent =
  | { type: 'checkout:ready' }
  | { type: 'checkout:unavailable' }
  | { type: 'checkout:paid'; answer: CheckoutAnswer }
  | { type: 'checkout:closed'; failure: string | null };
