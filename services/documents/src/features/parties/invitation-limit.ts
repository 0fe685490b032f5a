import { documentsEvents } from '@karaar/contracts/documents/events';
import { inTransaction, type Tx } from '@karaar/db';
import { AppError } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { noteFlood, noteInvitation } from './invitation-limit.repository.ts';

const HOUR_S = 3_600;

export class TooManyInvitations extends AppError {
  constructor(waitS: number) {
    const hours = Math.ceil(waitS / HOUR_S);
    super(
      429,
      'too_many_invitations',
      `You have invited as many people as one may within a day. You can invite again in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
      { headers: { 'retry-after': String(waitS) } },
    );
  }
}

/** Counts an invitation in the transaction that creates it. Throws {@link TooManyInvitations}. */
export async function countInvitation(
  ctx: Pick<Context, 'config'>,
  tx: Tx<Database>,
  userId: string,
): Promise<void> {
  const waitS = await noteInvitation(tx, userId, ctx.config.INVITATIONS_PER_USER_AND_DAY);
  if (waitS > 0) throw new TooManyInvitations(waitS);
}

/** Reports to the admins, once a day, that a user invites more people than allowed. */
export async function publishFlood(
  ctx: Pick<Context, 'config' | 'db' | 'outbox'>,
  userId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const id = await noteFlood(tx, userId);
    if (!id) return;
    await ctx.outbox.add(tx, documentsEvents.invitationsFlooded, {
      aggregateId: id,
      aggregateVersion: 1,
      data: { user_id: userId, invitations: ctx.config.INVITATIONS_PER_USER_AND_DAY },
    });
  });
  ctx.outbox.wake();
}
