/** Parses requests, with the provider's error texts. Throws `RazorpayError`. */
import type { Notes } from './entities.ts';
import { badField } from './errors.ts';
import type { NewOrder, NewRefund } from './ledger.ts';

const MAX_NOTES = 15;
const MAX_NOTE_CHARS = 256;
const MAX_RECEIPT_CHARS = 40;
/** ₹1: the provider's minimum order. */
const MIN_AMOUNT = 100;

function recordOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {};
}

function amountOf(value: unknown): number {
  const amount = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount))
    throw badField('amount', 'The amount must be an integer.');
  return amount;
}

function notesOf(value: unknown): Notes | [] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') throw badField('notes', 'The notes must be an array.');
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length === 0) return [];
  if (entries.length > MAX_NOTES)
    throw badField('notes', `Number of fields in notes should be less than or equal to ${MAX_NOTES}`);
  for (const [, note] of entries)
    if ((typeof note !== 'string' && typeof note !== 'number') || String(note).length > MAX_NOTE_CHARS)
      throw badField('notes', `Values of notes must be texts of at most ${MAX_NOTE_CHARS} characters.`);
  return Object.fromEntries(entries) as Notes;
}

function receiptOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw badField('receipt', 'The receipt must be a string.');
  if (value.length > MAX_RECEIPT_CHARS)
    throw badField('receipt', `The receipt may not be greater than ${MAX_RECEIPT_CHARS} characters.`);
  return value;
}

export function newOrderOf(body: unknown): NewOrder {
  const { amount, currency, receipt, notes, payment } = recordOf(body);
  if (amount === undefined || amount === null) throw badField('amount', 'The amount field is required.');
  if (amountOf(amount) < MIN_AMOUNT)
    throw badField('amount', 'Order amount less than minimum amount allowed');
  if (currency === undefined) throw badField('currency', 'The currency field is required.');
  if (currency !== 'INR') throw badField('currency', 'Currency is not supported');
  return {
    amount: amountOf(amount),
    currency,
    receipt: receiptOf(receipt),
    notes: notesOf(notes),
    ...(payment === undefined ? {} : { payment: recordOf(payment) }),
  };
}

export function newRefundOf(body: unknown, key?: unknown): NewRefund {
  const { amount, speed, receipt, notes } = recordOf(body);
  if (amount !== undefined && amountOf(amount) < MIN_AMOUNT)
    throw badField('amount', 'The amount must be at least INR 1.00');
  if (speed !== undefined && speed !== 'normal' && speed !== 'optimum')
    throw badField('speed', 'The selected speed is invalid.');
  return {
    ...(amount === undefined ? {} : { amount: amountOf(amount) }),
    ...(typeof key === 'string' && key !== '' ? { key } : {}),
    speed: speed ?? 'normal',
    receipt: receiptOf(receipt),
    notes: notesOf(notes),
  };
}
