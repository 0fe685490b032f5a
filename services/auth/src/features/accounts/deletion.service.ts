/**
 * Deleting an account (ADR "Deleting an account"). The row goes and a tombstone without personal data stays.
 * The other services erase their data when they receive the event. Deleting the blob key makes the images
 * unreadable.
 */
import { authEvents } from '@karaar/contracts/auth/events';
import type { DeletionBlocker } from '@karaar/contracts/auth/http';
import { readCode } from '@karaar/contracts/typed/read';
import { deletionRpc } from '@karaar/contracts/personal-data';
import { inTransaction } from '@karaar/db';
import { badRequest, conflict } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { forgetBrowsers } from '../otp/known-browsers.repository.ts';
import { anonymizeSessions, listRevokedOf, revokeSessions } from '../sessions/sessions.repository.ts';
import { announceEnd } from '../sessions/sessions.service.ts';
import { userNotFound } from './accounts.errors.ts';
import { lockById } from './accounts.repository.ts';
import { requireUser } from './accounts.service.ts';
import { confirmedByOwner, type Caller } from './own-number.service.ts';
import { buryUser, listUnerasedBlobs, markBlobsErased } from './deletion.repository.ts';

/**
 * Returns the reasons why the account cannot be deleted now.
 * @throws 503 when a service does not answer
 */
export async function findBlockers(ctx: Context, userId: string): Promise<DeletionBlocker[]> {
  const answers = await Promise.all(
    Object.values(deletionRpc).map((rpc) => ctx.bus.request(rpc, { user_id: userId })),
  );
  return answers.flatMap(({ blockers }) => blockers);
}

/**
 * @throws 400 for a wrong confirmation; 409 with the reasons while the account cannot be deleted; and as
 * {@link confirmedByOwner}
 */
export async function deleteAccount(
  ctx: Context,
  caller: Caller,
  { confirmation, grant }: { confirmation: string; grant: string | undefined },
): Promise<void> {
  const { userId } = caller;
  const user = await requireUser(ctx, userId);
  if (readCode(confirmation) !== user.char_id)
    throw badRequest('confirmation_wrong', 'Type your own 8-character ID to confirm.');
  const step = await confirmedByOwner(ctx, caller, { action: 'delete_account' }, grant);
  const blockers = await findBlockers(ctx, userId);
  if (blockers.length > 0) throw conflict('deletion_blocked', blockers.map(({ text }) => text).join(' '));
  const ended = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockById(tx, userId);
    if (!locked) throw userNotFound();
    await step.spend(tx);
    await revokeSessions(tx, userId);
    const sessions = await listRevokedOf(tx, userId);
    await anonymizeSessions(tx, userId);
    await forgetBrowsers(tx, userId);
    await buryUser(tx, { id: userId, charId: locked.char_id });
    await ctx.outbox.add(tx, authEvents.userDeleted, {
      aggregateId: userId,
      aggregateVersion: locked.version + 1,
      data: { user_id: userId, char_id: locked.char_id, deleted_at: new Date().toISOString() },
    });
    return sessions;
  });
  await announceEnd(ctx, ended);
  await eraseBlobs(ctx);
}

/** Erases the blobs of deleted users. A failed erasure is repeated by the next call. */
export async function eraseBlobs(ctx: Pick<Context, 'db' | 'blobs' | 'logger'>): Promise<void> {
  for (const id of await listUnerasedBlobs(ctx.db)) {
    try {
      await ctx.blobs.eraseOwner(id);
      await markBlobsErased(ctx.db, id);
    } catch (error) {
      ctx.logger.error({ err: error }, 'blobs of a deleted user are not erased yet');
    }
  }
}
