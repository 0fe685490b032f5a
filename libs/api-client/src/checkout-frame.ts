/**
 * The messages between a screen and the checkout's frame. Only the frame (apps/shell/src/checkout) may load
 * the card provider's script: the pages of the product load no third-party script.
 */

export const CHECKOUT_FRAME = '/checkout.html';

/** The result that the checkout returns after a payment. */
export type CheckoutAnswer = {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
};

/** The order to pay, and its texts. */
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

/** Sent by the screen, once the frame is ready. */
export type CheckoutRequest = { type: 'checkout:open'; order: CheckoutOrder };

/**
 * Sent by the frame. `closed` has the reason of the last failed payment: null if none failed, '' without a
 * reason.
 */
export type CheckoutEvent =
  | { type: 'checkout:ready' }
  | { type: 'checkout:unavailable' }
  | { type: 'checkout:paid'; answer: CheckoutAnswer }
  | { type: 'checkout:closed'; failure: string | null };
