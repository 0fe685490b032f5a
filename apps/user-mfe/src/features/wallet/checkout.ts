/**
 * The card provider's checkout: its frame, which loads its script, is loaded when a top-up starts (spec §4).
 */
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

/** Milliseconds until the frame must be ready; the provider's script has its own limit after that. */
const READY_MS = 15_000;

/** Returns the outcome once the checkout has ended; an error if it could not be opened. */
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
 * Opens the checkout for an order and waits for its end. After a failed payment the checkout stays open for a
 * retry; the outcome is `failed` only if the user then closes it unpaid.
 * @throws Error if the checkout cannot be loaded
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
