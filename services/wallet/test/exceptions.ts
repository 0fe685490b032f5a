/** Looks into the books behind the exceptions. */
import { sql } from 'kysely';
import type { ExceptionRow } from '../src/features/exceptions/exceptions.repository.ts';
import type { Api } from './api.ts';

/** What was noted of a thing of the provider, oldest first. */
export const exceptionsOf = (api: Api, subject: string): Promise<ExceptionRow[]> =>
  api.service.foundation.db
    .selectFrom('payment_exceptions')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('id')
    .execute();

/** What an account of ours holds, in paise. */
export async function systemBalance(api: Api, kind: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    SELECT coalesce(sum(e.amount_paise), 0)::bigint AS sum FROM entries e
      JOIN accounts a ON a.id = e.account_id WHERE a.kind = ${kind}`.execute(api.service.foundation.db);
  return rows[0]?.sum ?? 0;
}
