/** The provider's payouts to the merchant's bank. Pure. */
import { newId, type Payment, type Refund } from './entities.ts';

export interface Settlement {
  id: string;
  entity: 'settlement';
  amount: number;
  status: 'processed';
  fees: number;
  tax: number;
  utr: string;
  created_at: number;
}

/** One item that a settlement paid out or withheld, as in the reconciliation list. */
export interface Settled {
  entity_id: string;
  type: 'payment' | 'refund' | 'adjustment';
  debit: number;
  credit: number;
  amount: number;
  currency: string;
  fee: number;
  tax: number;
  on_hold: false;
  settled: true;
  created_at: number;
  settled_at: number;
  settlement_id: string;
  payment_id: string | null;
  dispute_id: string | null;
}

const INDIA_S = 5.5 * 3_600;

/** `2026-11-23`, by India's calendar. */
export const indianDay = (atS: number): string =>
  new Date((atS + INDIA_S) * 1_000).toISOString().slice(0, 10);

/** Returns a settlement of these payments, less fees and these refunds, and its parts. */
export function settlementOf(
  of: readonly (Payment | Refund)[],
  at: number,
): { settlement: Settlement; parts: Settled[] } {
  const id = newId('setl');
  const parts = of.map((entity): Settled => {
    const [fee, tax] = entity.entity === 'payment' ? [entity.fee ?? 0, entity.tax ?? 0] : [0, 0];
    return {
      entity_id: entity.id,
      type: entity.entity,
      debit: entity.entity === 'refund' ? entity.amount : 0,
      credit: entity.entity === 'payment' ? entity.amount - fee : 0,
      amount: entity.amount,
      currency: entity.currency,
      fee,
      tax,
      on_hold: false,
      settled: true,
      created_at: entity.created_at,
      settled_at: at,
      settlement_id: id,
      payment_id: entity.entity === 'refund' ? entity.payment_id : null,
      dispute_id: null,
    };
  });
  const sum = (of: (part: Settled) => number) => parts.reduce((total, part) => total + of(part), 0);
  const settlement: Settlement = {
    id,
    entity: 'settlement',
    amount: sum(({ credit, debit }) => credit - debit),
    status: 'processed',
    fees: sum(({ fee }) => fee),
    tax: sum(({ tax }) => tax),
    utr: `SANDBOX${at}`,
    created_at: at,
  };
  return { settlement, parts };
}
