import type { Razorpay } from '@karaar/testing/providers/razorpay';
import { sql } from 'kysely';
import type { ExceptionRow } from '../src/features/exceptions/exceptions.repository.ts';
import type { Api } from './api.ts';

export const exceptionsOf = (api: Api, subject: string): Promise<ExceptionRow[]> =>
  api.service.foundation.db
    .selectFrom('payment_exceptions')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('id')
    .execute();

export async function systemBalance(api: Api, kind: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    SELECT coalesce(sum(e.amount_paise), 0)::bigint AS sum FROM entries e
      JOIN accounts a ON a.id = e.account_id WHERE a.kind = ${kind}`.execute(api.service.foundation.db);
  return rows[0]?.sum ?? 0;
}

/** Returns what the provider's own books hold for us, in paise: payments minus refunds and lost disputes. */
export function providersNet({ payments, refunds, disputes }: Razorpay): number {
  const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
  return (
    sum([...payments.values()].filter(({ status }) => status === 'captured' || status === 'refunded')) -
    sum(refunds.filter(({ status }) => status !== 'failed')) -
    sum(disputes.filter(({ status }) => status === 'lost'))
  );
}
