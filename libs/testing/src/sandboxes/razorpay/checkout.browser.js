/* global CSSStyleSheet, document, window */
/**
 * The sandbox's checkout: `window.Razorpay` with the part of the provider's interface that a page uses
 * (options key, order_id, name, description, prefill, handler, modal.ondismiss, retry; open, close, on).
 * It shows a dialog that says it is a test, where one can pay, fail or cancel. Works under a Content Security
 * Policy without inline script or style: elements are made by calls, the style sheet is a constructed one.
 */
(() => {
  'use strict';

  // …/v1/checkout.js is where the script came from; its calls go to the same place.
  const base = new URL('.', document.currentScript.src).href.replace(/\/v1\/$/, '');

  const STYLE = `
    :host { all: initial; }
    .veil { position: fixed; inset: 0; z-index: 2147483000; display: grid; place-items: center; padding: 16px;
      background: rgb(20 19 15 / 60%); font: 16px/1.5 system-ui, sans-serif; color: #1b1a17; }
    .sheet { box-sizing: border-box; width: 100%; max-width: 380px; background: #fff; border-radius: 10px; overflow: hidden; }
    .test { margin: 0; padding: 8px 16px; background: #7a4a00; color: #fff; font-size: 14px; font-weight: 600; }
    .body { padding: 16px; }
    h2 { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
    p { margin: 4px 0; overflow-wrap: anywhere; }
    .amount { font-size: 28px; font-weight: 600; font-variant-numeric: tabular-nums; }
    .dim { color: #5d5a52; font-size: 14px; }
    .fault { color: #8c1c22; }
    .fault:empty, .fee:empty { display: none; }
    button { display: block; box-sizing: border-box; width: 100%; min-height: 48px; margin-top: 8px; padding: 8px 16px; border-radius: 10px;
      border: 1px solid #6b6759; background: #fff; color: #1b1a17; font: inherit; cursor: pointer; }
    button.pay { border-color: #1f3a8a; background: #1f3a8a; color: #fff; }
    button:focus-visible { outline: 3px solid #c77700; outline-offset: 2px; }
    button:disabled { opacity: 0.6; cursor: default; }
  `;

  const rupees = (paise, currency) =>
    new Intl.NumberFormat('en-IN', { style: 'currency', currency: currency || 'INR' }).format(paise / 100);

  function make(tag, { text, ...attributes } = {}) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  async function call(path, init) {
    const answer = await fetch(base + path, init);
    const body = await answer.json();
    if (!answer.ok)
      throw Object.assign(new Error(body?.error?.description || 'Payment failed'), { razorpay: body.error });
    return body;
  }

  class Razorpay {
    #options;
    #listeners = new Map();
    #host = null;
    #before = null;

    constructor(options) {
      if (!options?.key) throw new Error('No key passed');
      if (!options.order_id) throw new Error('No order_id passed: the sandbox pays orders only');
      this.#options = options;
    }

    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) || []), listener]);
      return this;
    }

    open() {
      if (this.#host) return;
      this.#before = document.activeElement;
      this.#host = make('div', { id: 'razorpay-test-checkout' });
      const root = this.#host.attachShadow({ mode: 'open' });
      const style = new CSSStyleSheet();
      style.replaceSync(STYLE);
      root.adoptedStyleSheets = [style];
      root.append(this.#dialog());
      document.body.append(this.#host);
      root.querySelector('.sheet').focus();
      void this.#load(root);
    }

    /** Closes without telling anyone, as the provider's `close` does. */
    close() {
      this.#host?.remove();
      this.#host = null;
      this.#before?.focus?.();
    }

    #dialog() {
      const veil = make('div', { class: 'veil' });
      const sheet = make('div', {
        class: 'sheet',
        role: 'dialog',
        'aria-modal': 'true',
        'aria-labelledby': 'title',
        tabindex: '-1',
      });
      const body = make('div', { class: 'body' });
      const pay = make('button', {
        class: 'pay',
        type: 'button',
        'data-outcome': 'success',
        text: 'Pay',
        disabled: '',
      });
      const fail = make('button', {
        type: 'button',
        'data-outcome': 'failure',
        text: 'Fail this payment',
        disabled: '',
      });
      const cancel = make('button', { type: 'button', 'data-outcome': 'cancel', text: 'Cancel' });
      body.append(
        make('h2', { id: 'title', text: this.#options.name || 'Test checkout' }),
        make('p', { class: 'dim', text: this.#options.description || '' }),
        make('p', { class: 'amount', text: '…' }),
        make('p', { class: 'dim fee' }),
        make('p', { class: 'dim', text: `Order ${this.#options.order_id}` }),
        make('p', { class: 'fault', role: 'alert' }),
        pay,
        fail,
        cancel,
      );
      sheet.append(make('p', { class: 'test', text: 'Test checkout: no money moves' }), body);
      veil.append(sheet);
      pay.addEventListener('click', () => void this.#attempt('success'));
      fail.addEventListener('click', () => void this.#attempt('failure'));
      cancel.addEventListener('click', () => this.#dismiss());
      veil.addEventListener('keydown', (event) => this.#onKey(event));
      return veil;
    }

    #onKey(event) {
      if (event.key === 'Escape' && this.#options.modal?.escape !== false) this.#dismiss();
      if (event.key !== 'Tab') return;
      // The page behind must not get the focus while the dialog is open.
      const root = this.#host.shadowRoot;
      const buttons = [...root.querySelectorAll('button:not(:disabled)')];
      const edge = event.shiftKey ? buttons[0] : buttons.at(-1);
      if (root.activeElement !== edge && buttons.includes(root.activeElement)) return;
      event.preventDefault();
      (event.shiftKey ? buttons.at(-1) : buttons[0])?.focus();
    }

    #enable(root, enabled) {
      for (const button of root.querySelectorAll('[data-outcome="success"], [data-outcome="failure"]'))
        button.disabled = !enabled;
    }

    /** The amount is the order's own, not what the page claims. */
    async #load(root) {
      const query = new URLSearchParams({ order_id: this.#options.order_id, key_id: this.#options.key });
      try {
        const order = await call(`/v1/checkout/order?${query}`);
        const amount = rupees(order.amount_due + order.fee, order.currency);
        root.querySelector('.amount').textContent = amount;
        if (order.fee > 0)
          root.querySelector('.fee').textContent =
            `${rupees(order.fee, order.currency)} of this is the card fee`;
        if (order.status === 'paid') throw new Error('This order is paid already.');
        root.querySelector('.pay').textContent = `Pay ${amount}`;
        this.#enable(root, true);
      } catch (error) {
        root.querySelector('.fault').textContent = error.message;
      }
    }

    async #attempt(outcome) {
      const root = this.#host.shadowRoot;
      this.#enable(root, false);
      try {
        const { key: key_id, order_id, description } = this.#options;
        const result = await call('/v1/checkout/attempt', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ key_id, order_id, outcome, description }),
        });
        this.close();
        this.#options.handler?.(result);
      } catch (error) {
        root.querySelector('.fault').textContent = error.message;
        const failure = error.razorpay || {
          code: 'SERVER_ERROR',
          description: error.message,
          source: 'NA',
          step: 'NA',
          reason: 'NA',
          metadata: {},
        };
        for (const listener of this.#listeners.get('payment.failed') || []) listener({ error: failure });
        // As with the provider, the customer may try again unless the page forbids it.
        if (this.#options.retry === false || this.#options.retry?.enabled === false) this.close();
        else this.#enable(root, true);
      }
    }

    #dismiss() {
      this.close();
      this.#options.modal?.ondismiss?.();
    }
  }

  window.Razorpay = Razorpay;
})();
