import type { Tx } from '@karaar/db';
import type { SpooledFile } from '@karaar/http';
import { readLines } from '@karaar/base/schema';
import type { SignedAnswer } from '@karaar/contracts/documents/signing-keys';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
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
import { codeNotFound } from '../agreements/rules/agreement.errors.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { findIdByCode } from '../agreements/agreements.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import { changeAgreement, decideOn, type Line, type Rule } from '../agreements/transition.ts';
import { takeSignature } from '../signing-keys/signing.service.ts';
import { requireCaller, requireCompleteProfile } from '../directory/directory.service.ts';
import type { Remember } from '../idempotency/idempotency.service.ts';
import { captureSubject } from '../identity-verification/live-captures.service.ts';
import type { Stated } from '../identity-verification/sent.ts';
import { takeVerification, type VerificationImages } from '../identity-verification/verification.service.ts';
import { lookUpCounted } from './join-limit.repository.ts';
import { fieldFault } from '../../errors.ts';
import { contentOf, requireShown, type Shown } from '../agreements/approvals/shown.ts';

export type SentImages = {
  profile_pic?: SpooledFile | undefined;
  eye?: SpooledFile | undefined;
  sign?: SpooledFile | undefined;
  thumb?: SpooledFile | undefined;
  stated: Stated;
};
type Message = { message: string };
type Verifying = {
  /** The purpose that the photos are bound to; by default the document. */
  subject?: string;
  rule: Rule;
  line: (before: Agreement) => Line;
  shown?: Shown;
  remember: (tx: Tx<Database>) => Promise<void>;
};

/** Returns the document with a code. Throws 404 if unknown, 429 after many, 403 for an incomplete profile. */
async function joinableBy(ctx: Context, caller: Caller, code: string): Promise<string> {
  await requireCompleteProfile(ctx, caller.userId);
  const id = await lookUpCounted(ctx.db, caller.userId, (tx) => findIdByCode(tx, code));
  if (id === undefined) throw codeNotFound();
  return id;
}

/** Looks a code up and throws the errors of {@link join}, before the user takes photos in vain. */
export async function lookUpCode(ctx: Context, caller: Caller, code: string): Promise<DocumentRecord> {
  const id = await joinableBy(ctx, caller, code);
  const { record } = await getDocument(ctx, caller.userId, id);
  await decideOn(ctx.db, agreementOf(record), actorOf(caller), (agreement) =>
    requestToJoin(agreement, caller.userId),
  );
  return record;
}

/**
 * Asks to join by code, with verification. Throws 404 for an unknown code, 429 after too many unknown codes,
 * 403 for an incomplete profile.
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
    rule: (agreement) => requestToJoin(agreement, caller.userId),
    line: () => ({
      type: 'party.requested',
      detail: 'Asked to join by code; verified by face, eye and signature',
    }),
    remember: (tx) => remember(tx, answer),
  });
  return answer;
}

/** Accepts an invitation. Throws 422 unless all four images are sent. */
export async function acceptInvitation(
  ctx: Context,
  caller: Caller,
  id: string,
  { shown, ...sent }: SentImages & { shown: Shown },
  remember: Remember<Message>,
): Promise<Message> {
  const { profile_pic, eye, sign, thumb, stated } = sent;
  const rule = (agreement: Agreement) => accept(agreement, caller.userId);
  if (!profile_pic || !eye || !sign || !thumb) {
    await requireAllowed(ctx, caller, id, rule);
    throw fieldFault('response', 'Please upload all required verification documents');
  }
  const answer = { message: 'You accepted the agreement.' };
  await verified(
    ctx,
    caller,
    id,
    { profile_pic, eye, sign, thumb, stated },
    {
      shown,
      rule,
      line: () => ({
        type: 'party.accepted',
        detail: 'Accepted and approved; verified by face, eye, signature and fingerprint image',
      }),
      remember: (tx) => remember(tx, answer),
    },
  );
  return answer;
}

/** Rejects an agreement to which the caller was invited or admitted. The involved users see the reason. */
export async function rejectAgreement(
  ctx: Context,
  caller: Caller,
  id: string,
  reasonText: string | undefined,
  remember: Remember<Message>,
): Promise<Message> {
  const reason = reasonOf(reasonText);
  const answer = { message: 'You rejected the agreement.' };
  await changeAgreement(ctx, id, actorOf(caller), async (change) => {
    const rejected = await change.decide((agreement) => reject(agreement, caller.userId, reason));
    await remember(change.tx, answer);
    await change.save(rejected, { type: 'party.rejected', detail: 'Rejected the agreement', reason });
  });
  return answer;
}

export const reasonOf = (text: string | undefined): string | null => readLines('reason', text ?? '') || null;

/** Verifies the caller, which withdraws an earlier approval, and approves unless `approves` is false. */
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
    shown,
    rule: (agreement) => selfVerify(agreement, caller.userId, approves),
    line: (before) => verifiedLine(findParty(before, caller.userId)?.approved === true, approves),
    remember: (tx) => remember(tx, answer),
  });
  return answer;
}

function verifiedLine(hadApproved: boolean, approves: boolean): Line {
  const type = approves ? 'party.approved' : 'party.verified';
  if (!hadApproved)
    return { type, detail: `${approves ? 'Approved; verified' : 'Verified'} by face, eye and signature` };
  const withdrawn = approves ? 'Withdrew the earlier approval and approved again' : 'Withdrew the approval';
  return { type, detail: `${withdrawn}; verified again by face, eye and signature` };
}

/** Approves as the caller, with the images of an earlier verification. */
export async function giveApproval(
  ctx: Context,
  caller: Caller,
  id: string,
  approval: { userId: string; shown: Shown; answer?: SignedAnswer | undefined },
): Promise<void> {
  await requireCaller(ctx, caller.userId);
  const rule = (agreement: Agreement) => approve(agreement, caller.userId, approval.userId);
  // Checks the caller's right before the signature.
  await requireAllowed(ctx, caller, id, rule);
  const { answer } = approval;
  const signed = answer && (await takeSignature(ctx, caller.userId, id, answer));
  await changeAgreement(ctx, id, actorOf(caller), async (change) => {
    const approved = await change.decide(rule);
    await change.requireShown(approval.shown);
    if (approved === change.before) return;
    const type = approved.primaryUserId === caller.userId ? 'document.approved' : 'party.approved';
    await change.save(approved, { type, detail: 'Approved the document' }, signed);
  });
}

const actorOf = (caller: Caller) => ({ actorId: caller.userId, caller });

/** Applies a rule before the work begins. Under the lock it runs again and decides. */
async function requireAllowed(ctx: Context, caller: Caller, id: string, rule: Rule): Promise<DocumentRecord> {
  const { record } = await getDocument(ctx, caller.userId, id);
  await decideOn(ctx.db, agreementOf(record), actorOf(caller), rule);
  return record;
}

/**
 * Changes a document with a verification. The rule runs first, so that a user does not upload and wait for a
 * refusal, and again under the lock.
 */
async function verified(
  ctx: Context,
  caller: Caller,
  id: string,
  images: VerificationImages,
  { subject = captureSubject.document(id), rule, line, shown, remember }: Verifying,
): Promise<void> {
  const record = await requireAllowed(ctx, caller, id, rule);
  if (shown)
    requireShown(shown, {
      content: contentOf(record.document, record.rawFiles),
      parties: involvedUsers(agreementOf(record)),
    });
  const verification = await takeVerification(ctx, caller.userId, images, subject);
  try {
    await changeAgreement(ctx, id, actorOf(caller), async (change) => {
      const next = await change.decide(rule);
      if (shown) await change.requireShown(shown);
      const photos = await verification.save(change.tx, id);
      await remember(change.tx);
      await change.save(next, { ...line(change.before), photos });
    });
  } catch (error) {
    await verification.discard(error);
    throw error;
  }
}
