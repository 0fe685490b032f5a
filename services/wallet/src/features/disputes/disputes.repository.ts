import type { Tx } from '@karaar/db';
import type { Selectable } from 'kysely';
import type { Database, DisputesTable } from '../../db/schema.ts';

export type DisputeRow = Selectable<DisputesTable>;

export const findDispute = (tx: Tx<Database>, id: string): Promise<DisputeRow | undefined> =>
  tx.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst();

export const insertDispute = (
  tx: Tx<Database>,
  dispute: Omit<DisputeRow, 'status' | 'created_at' | 'updated_at' | 'compared_at'>,
): Promise<DisputeRow> =>
  tx
    .insertInto('disputes')
    .values({ ...dispute, status: 'open' })
    .returningAll()
    .executeTakeFirstOrThrow();

export async function endDispute(tx: Tx<Database>, id: string, status: 'won' | 'lost'): Promise<void> {
  await tx.updateTable('disputes').set({ status, updated_at: new Date() }).where('id', '=', id).execute();
}
