import type { EventData } from '@karaar/contracts/kit';
import type { walletEvents } from '@karaar/contracts/wallet/events';
import { uuidv7, type Tx } from '@karaar/db';
import type { Database } from '../../db/schema.ts';

/** Stores the newest state of a top-up or a refund, in whatever order its states arrive. */
export async function keepCardMovement(
  tx: Tx<Database>,
  movement: EventData<typeof walletEvents.card>,
  version: number,
): Promise<void> {
  const { status, payment_id, fee_paise = 0 } = movement;
  await tx
    .insertInto('card_movements')
    .values({ ...movement, fee_paise, id: uuidv7(), version, created_at: new Date(movement.created_at) })
    .onConflict((conflict) =>
      conflict
        .column('reference')
        .doUpdateSet({ status, payment_id, fee_paise, version })
        .where('card_movements.version', '<', version),
    )
    .execute();
}
