/** What parties do for themselves: ask to join, accept, reject, verify, approve. */
import type { PhotosRecord } from '@karaar/contracts/documents/http';
import type { SpooledFile } from '@karaar/platform/http-kit';
import { readLines } from '@karaar/platform/schema';
import type { SignedAnswer } from '@karaar/contracts/documents/signing-keys';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import {
  accept,
  approve,
  findParty,
  involvedUsers,
  reject,
  requestToJoin,
  selfVerify,
  type Agreement,
} from '../agreements/rules/agreement.ts';
import { codeNotFound, fieldFault, profileIncomplete } from '../agreements/rules/agreement.errors.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { contentOf } from '../agreements/approvals/approvals.repository.ts';
import { requireShown, type Shown } from '../agreements/approvals/approvals.service.ts';
import { findIdByCode } from '../agreements/agreements.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import { applyTransition, decideOn, type Transition } from '../agreements/transition.ts';
import { takeSignature } from '../signing-keys/signing.service.ts';
import { requireCaller } from '../directory/directory.service.ts';
import type { Remember } from '../idempotency/idempotency.service.ts';
import { captureSubject } from '../identity-verification/live-captures.service.ts';
import type { Stated } from '../identity-verification/sent.ts';
import { takeVerification, type VerificationImages } from '../identity-verification/verification.service.ts';
import { lookUpCounted } from './join-limit.repository.ts';

export type SentImages = {
  profile_pic?: SpooledFile | undefined;
  eye?: SpooledFile | undefined;
  sign?: SpooledFile | undefined;
  thumb?: SpooledFile | undefined;
  stated: Stated;
};
type Message = { message: string };
/** A transition by a verification; its photos are bound to the document unless something else is named. */
type Verifying = Pick<Transition, 'type' | 'detail' | 'retell' | 'decide' | 'also' | 'shown'> & {
  subject?: string;
};

/** The document that a code names. Throws 404 for an unknown code, 429 after too many, 403 for an incomplete profile. */
async function joinableBy(ctx: Context, caller: Caller, code: string): Promise<string> {
  const { profile_complete } = await requireCaller(ctx, caller.userId);
  if (!profile_complete) throw profileIncomplete();
  const id = await lookUpCounted(ctx.db, caller.userId, (tx) => findIdByCode(tx, code));
  if (id === undefined) throw codeNotFound();
  return id;
}

/** What a code leads to. Throws what {@link join} would throw: nobody is photographed for a refusal. */
export async function lookUpCode(ctx: Context, caller: Caller, code: string): Promise<DocumentRecord> {
  const id = await joinableBy(ctx, caller, code);
  const { record } = await getDocument(ctx, caller.userId, id);
  const decide = (agreement: Agreement) => requestToJoin(agreement, caller.userId);
  await decideOn(ctx.db, agreementOf(record), { actorId: caller.userId, caller, decide });
  return record;
}

/**
 * Asks to join by code, with verification. 404 for an unknown code, 429 after too many of them, 403 for an
 * incomplete profile.
 */
export async function join(
  ctx: Context,
  caller: Caller,
  code: string,
  images: VerificationImages,
  remember: Remember<Message & { document_id: string }>,
): Promise<Message & { document_id: string }> {
  const id = await joinableBy(ctx, caller, code);
  const answer = {
    message: 'Your request was sent. The creator of the document will approve it.',
    document_id: id,
  };
  await verified(ctx, caller, id, images, {
    subject: captureSubject.joining(code),
    type: 'party.requested',
    detail: 'Asked to join by code; verified by face, eye and signature',
    decide: (agreement) => requestToJoin(agreement, caller.userId),
    also: (tx) => remember(tx, answer),
  });
  return answer;
}

/** Accepts an invitation with all four images. */
export async function acceptInvitation(
  ctx: Context,
  caller: Caller,
  id: string,
  { shown, ...sent }: SentImages & { shown: Shown },
  remember: Remember<Message>,
): Promise<Message> {
  const { profile_pic, eye, sign, thumb, stated } = sent;
  const decide = (agreement: Agreement) => accept(agreement, caller.userId);
  if (!profile_pic || !eye || !sign || !thumb) {
    await requireAllowed(ctx, caller, id, decide);
    throw fieldFault('response', 'Please upload all required verification documents');
  }
  const answer = { message: 'You accepted the agreement.' };
  await verified(
    ctx,
    caller,
    id,
    { profile_pic, eye, sign, thumb, stated },
    {
      type: 'party.accepted',
      detail: 'Accepted and approved; verified by face, eye, signature and fingerprint image',
      shown,
      decide,
      also: (tx) => remember(tx, answer),
    },
  );
  return answer;
}

/** Refuses an agreement to which the caller is invited or admitted; the reason is shown to the involved users. */
export async function rejectAgreement(
  ctx: Context,
  caller: Caller,
  id: string,
  given: string | undefined,
  remember: Remember<Message>,
): Promise<Message> {
  const reason = reasonOf(given);
  const answer = { message: 'You rejected the agreement.' };
  await applyTransition(ctx, id, {
    type: 'party.rejected',
    actorId: caller.userId,
    caller,
    detail: 'Rejected the agreement',
    reason,
    decide: (agreement) => reject(agreement, caller.userId, reason),
    also: (tx) => remember(tx, answer),
  });
  return answer;
}

/** A reason as it is kept: trimmed, null when there is none. */
export const reasonOf = (given: string | undefined): string | null =>
  readLines('reason', given ?? '') || null;

/**
 * Verifies oneself, again where one has before, which withdraws an earlier approval; and approves, unless told
 * otherwise. For the primary user this is the approval of the document.
 */
export async function verifyOneself(
  ctx: Context,
  caller: Caller,
  id: string,
  images: VerificationImages,
  { approves, shown }: { approves: boolean; shown: Shown },
  remember: Remember<Message>,
): Promise<Message> {
  await requireCaller(ctx, caller.userId);
  const answer = {
    message: approves
      ? 'You are verified and have approved.'
      : 'You are verified. Approve the document when you have read it.',
  };
  await verified(ctx, caller, id, images, {
    type: approves ? 'party.approved' : 'party.verified',
    detail: approves
      ? 'Approved; verified by face, eye and signature'
      : 'Verified by face, eye and signature',
    retell: (before) =>
      findParty(before, caller.userId)?.approved ? (approves ? AGAIN : WITHDRAWN_BY_VERIFYING) : undefined,
    shown,
    decide: (agreement) => selfVerify(agreement, caller.userId, approves),
    also: (tx) => remember(tx, answer),
  });
  return answer;
}

const AGAIN = {
  type: 'party.approved',
  detail: 'Withdrew the earlier approval and approved again; verified again by face, eye and signature',
};
const WITHDRAWN_BY_VERIFYING = {
  type: 'party.verified',
  detail: 'Withdrew the approval; verified again by face, eye and signature',
};

/** One's own approval, by the images given before. */
export async function giveApproval(
  ctx: Context,
  caller: Caller,
  id: string,
  approval: { userId: string; shown: Shown; answer?: SignedAnswer | undefined },
): Promise<void> {
  await requireCaller(ctx, caller.userId);
  const actor = { actorId: caller.userId, caller };
  const decide = (agreement: Agreement) => approve(agreement, caller.userId, approval.userId);
  // The right comes before what was signed.
  await requireAllowed(ctx, caller, id, decide);
  const { answer } = approval;
  const signed = answer && (await takeSignature(ctx, caller.userId, id, answer));
  await applyTransition(ctx, id, {
    type: 'document.approved',
    ...actor,
    detail: 'Approved the document',
    retell: ({ primaryUserId }) =>
      primaryUserId === caller.userId
        ? undefined
        : { type: 'party.approved', detail: 'Approved the document' },
    shown: approval.shown,
    signed,
    decide,
  });
}

/** The document, if the rules allow the act now. They are asked again under the lock, where they decide. */
async function requireAllowed(
  ctx: Context,
  caller: Caller,
  id: string,
  decide: Transition['decide'],
): Promise<DocumentRecord> {
  const { record } = await getDocument(ctx, caller.userId, id);
  await decideOn(ctx.db, agreementOf(record), { actorId: caller.userId, caller, decide });
  return record;
}

/**
 * Runs a transition that brings a verification. The rules are asked first, so that nobody uploads and
 * waits for a refusal; they are asked again under the lock, where they decide.
 */
async function verified(
  ctx: Context,
  caller: Caller,
  id: string,
  images: VerificationImages,
  { subject = captureSubject.document(id), ...transition }: Verifying,
): Promise<void> {
  const actor = { actorId: caller.userId, caller };
  const record = await requireAllowed(ctx, caller, id, transition.decide);
  if (transition.shown)
    requireShown(transition.shown, {
      content: contentOf(record.document, record.rawFiles),
      parties: involvedUsers(agreementOf(record)),
    });
  const verification = await takeVerification(ctx, caller.userId, images, subject);
  let photos: PhotosRecord | undefined;
  try {
    await applyTransition(ctx, id, {
      ...transition,
      ...actor,
      photos: () => photos,
      also: async (tx, after, before) => {
        if (findParty(after, caller.userId)) photos = await verification.save(tx, id);
        await transition.also?.(tx, after, before);
      },
    });
  } catch (error) {
    await verification.discard(error);
    throw error;
  }
}
