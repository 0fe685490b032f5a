/** The card provider's checkout: its frame, and in it its script, is loaded when a top-up starts (spec §4). */
import {
  CHECKOUT_FRAME,
  type CheckoutAnswer,
  type CheckoutEvent,
  type CheckoutOrder,
  type CheckoutRequest,
} from '@karaar/api-client';
import { walletTexts } from './texts.ts';
import css from './checkout.module.css';

export type { CheckoutAnswer };

export type CheckoutOutcome =
  { kind: 'paid'; answer: CheckoutAnswer } | { kind: 'cancelled' } | { kind: 'failed'; reason: string };

const DEFAULT_SCRIPT = 'https://checkout.razorpay.com/v1/checkout.js';

/** Milliseconds for the frame to say that it is there; the provider's script has its own time after that. */
const READY_MS = 15_000;

/** How it ended, when it has; an error when the checkout could not be opened. */
function outcomeOf(event: CheckoutEvent): CheckoutOutcome | Error | null {
  switch (event.type) {
    case 'checkout:ready':
      return null;
    case 'checkout:unavailable':
      return new Error('The checkout could not be loaded');
    case 'checkout:paid':
      return { kind: 'paid', answer: event.answer };
    case 'checkout:closed':
      if (event.failure === null) return { kind: 'cancelled' };
      return { kind: 'failed', reason: event.failure || walletTexts.say('payFailed') };
  }
}

/**
 * Opens the checkout for an order and waits for its end. A failed try leaves the checkout open for another one;
 * the outcome is `failed` only when the user then closes it without having paid.
 * @throws when the checkout cannot be loaded
 */
export function runCheckout(order: Omit<CheckoutOrder, 'merchant' | 'purpose'>): Promise<CheckoutOutcome> {
  const frame = document.createElement('iframe');
  frame.src = CHECKOUT_FRAME;
  frame.title = walletTexts.say('purpose');
  frame.allow = 'payment';
  frame.className = css.frame ?? '';
  const before = document.activeElement;
  const request: CheckoutRequest = {
    type: 'checkout:open',
    order: {
      ...order,
      scriptUrl: order.scriptUrl || DEFAULT_SCRIPT,
      merchant: walletTexts.say('merchant'),
      purpose: walletTexts.say('purpose'),
    },
  };
  return new Promise<CheckoutOutcome>((resolve, reject) => {
    const end = (outcome: CheckoutOutcome | Error) => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onMessage = ({ source, origin, data }: MessageEvent<CheckoutEvent>) => {
      if (source !== frame.contentWindow || origin !== location.origin) return;
      if (data.type === 'checkout:ready') {
        clearTimeout(timer);
        frame.contentWindow?.postMessage(request, location.origin);
        frame.focus();
      }
      const outcome = outcomeOf(data);
      if (outcome) end(outcome);
    };
    const timer = setTimeout(() => end(new Error('The checkout did not answer')), READY_MS);
    window.addEventListener('message', onMessage);
    document.body.append(frame);
  });
}
