/** What parties do: invite, join, answer, verify, approve, remove. Each is one transition. */
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import {
  accept,
  approve,
  approveUser,
  findParty,
  invite,
  reject,
  removeUser,
  requestToJoin,
  selfVerify,
  type Agreement,
} from '../agreements/agreement.ts';
import { codeNotFound, fieldFault, profileIncomplete } from '../agreements/agreement.errors.ts';
import { findIdByCode } from '../agreements/agreements.repository.ts';
import { getDocument } from '../agreements/agreements.service.ts';
import { applyTransition } from '../agreements/transition.ts';
import { requireCaller, requireUserByCharId } from '../directory/directory.service.ts';
import { takeVerification, type VerificationImages } from '../verification/verification.service.ts';

export type SentImages = {
  profile_pic?: SpooledFile | undefined;
  eye?: SpooledFile | undefined;
  sign?: SpooledFile | undefined;
  thumb?: SpooledFile | undefined;
};

/** Invites the user with this ID. 404 for an unknown ID or document, 403 unless the primary user asks. */
export async function inviteUser(ctx: Context, actorId: string, id: string, charId: string): Promise<string> {
  // The caller's right is checked before the ID is looked up: a stranger learns nothing of who has which ID.
  const { record } = await getDocument(ctx, actorId, id);
  if (record.document.primary_user !== actorId) {
    await applyTransition(ctx, id, inviting(actorId, actorId, 'a user'));
  }
  const user = await requireUserByCharId(ctx, charId);
  await applyTransition(ctx, id, inviting(actorId, user.user_id, user.name));
  return user.name;
}

const inviting = (actorId: string, userId: string, name: string) => ({
  type: 'party.invited',
  actorId,
  detail: `Invited ${name}`,
  decide: (agreement: Agreement) => invite(agreement, actorId, userId),
});

/** Asks to join by code, with verification. 404 for an unknown code, 403 for an incomplete profile. */
export async function join(
  ctx: Context,
  userId: string,
  code: string,
  images: VerificationImages,
): Promise<string> {
  const caller = await requireCaller(ctx, userId);
  if (!caller.profile_complete) throw profileIncomplete();
  const id = await findIdByCode(ctx.db, code);
  if (!id) throw codeNotFound();
  await verified(ctx, userId, id, images, {
    type: 'party.requested',
    detail: 'Asked to join by code; verified by face, eye and signature',
    decide: (agreement) => requestToJoin(agreement, userId),
  });
  return id;
}

/** Accepts an invitation with all four images. */
export async function acceptInvitation(
  ctx: Context,
  userId: string,
  id: string,
  sent: SentImages,
): Promise<void> {
  const { profile_pic, eye, sign, thumb } = sent;
  if (!profile_pic || !eye || !sign || !thumb) {
    throw fieldFault('response', 'Please upload all required verification documents');
  }
  await verified(
    ctx,
    userId,
    id,
    { profile_pic, eye, sign, thumb },
    {
      type: 'party.accepted',
      detail: 'Accepted and approved; verified by face, eye, signature and fingerprint image',
      decide: (agreement) => accept(agreement, userId),
    },
  );
}

export async function rejectInvitation(ctx: Context, userId: string, id: string): Promise<void> {
  await applyTransition(ctx, id, {
    type: 'party.rejected',
    actorId: userId,
    detail: 'Rejected the agreement',
    decide: (agreement) => reject(agreement, userId),
  });
}

/** Verifies and approves oneself; for the primary user this is the approval of the document. */
export async function verifyAndApprove(
  ctx: Context,
  userId: string,
  id: string,
  images: VerificationImages,
): Promise<void> {
  await verified(ctx, userId, id, images, {
    type: 'party.approved',
    detail: 'Approved; verified by face, eye and signature',
    decide: (agreement) => selfVerify(agreement, userId),
  });
}

export async function approveDocument(
  ctx: Context,
  actorId: string,
  id: string,
  userId: string,
): Promise<void> {
  await applyTransition(ctx, id, {
    type: 'document.approved',
    actorId,
    detail: 'Approved the document',
    decide: (agreement) => approve(agreement, actorId, userId),
  });
}

export async function approveParty(ctx: Context, actorId: string, id: string, userId: string): Promise<void> {
  await applyTransition(ctx, id, {
    type: 'party.admitted',
    actorId,
    detail: `Approved ${await nameOf(ctx, actorId, id, userId)}`,
    decide: (agreement) => approveUser(agreement, actorId, userId),
  });
}

export async function removeParty(ctx: Context, actorId: string, id: string, userId: string): Promise<void> {
  await applyTransition(ctx, id, {
    type: 'party.removed',
    actorId,
    detail: `Removed ${await nameOf(ctx, actorId, id, userId)}`,
    decide: (agreement) => removeUser(agreement, actorId, userId),
  });
}

/**
 * Runs a transition that brings a verification. The rules are asked first, so that nobody uploads and
 * waits for a refusal; they are asked again under the lock, where they decide.
 */
async function verified(
  ctx: Context,
  userId: string,
  id: string,
  images: VerificationImages,
  transition: { type: string; detail: string; decide: (agreement: Agreement) => Agreement },
): Promise<void> {
  const { record } = await getDocument(ctx, userId, id);
  transition.decide({
    id,
    status: record.document.status,
    primaryUserId: record.document.primary_user,
    finalizing: record.document.finalizing,
    rawFileCount: record.rawFiles.length,
    parties: record.parties.map((party) => ({
      userId: party.user_id,
      state: party.state,
      approved: party.approved,
      verified: party.verified,
    })),
  });
  const verification = await takeVerification(ctx, userId, images);
  try {
    await applyTransition(ctx, id, {
      ...transition,
      actorId: userId,
      also: async (tx, after) => {
        if (findParty(after, userId)) await verification.save(tx, id);
      },
    });
  } catch (error) {
    await verification.discard();
    throw error;
  }
}

async function nameOf(ctx: Context, viewerId: string, id: string, userId: string): Promise<string> {
  const { record } = await getDocument(ctx, viewerId, id);
  return record.parties.find((party) => party.user_id === userId)?.name ?? 'Unknown User';
}
