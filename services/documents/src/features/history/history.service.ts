import type { HistorySheet } from '@karaar/contracts/documents/print';
import type { Language } from '@karaar/contracts/limits';
import { printingUnavailable } from '@karaar/http/print';
import { statementHash } from '@karaar/proof/approval/approval';
import { RenderError } from '@karaar/rendering';
import type { Context } from '../../context.ts';
import {
  listEvents,
  type DocumentRecord,
  type EventRow,
} from '../agreements/agreement-records.repository.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { approvalsOf } from '../agreements/approvals/approvals.repository.ts';
import { stillDraft } from '../agreements/rules/agreement.errors.ts';
import { auditEntryOf } from '../finalization/final-input.ts';

/**
 * Returns a document's history as PDF, in the given language, else in that of the user's account.
 * @throws 403, 404 for a document that does not involve the user, 409 for a draft, 503 without the converter
 */
export async function printHistory(ctx: Context, userId: string, id: string, language?: Language) {
  const record = await getInvolvedDocument(ctx, userId, id);
  if (record.document.status === 'draft') throw stillDraft();
  const own = record.parties.find((party) => party.user_id === userId)?.language;
  const sheet = await sheetOf(ctx, record, language ?? own ?? 'en');
  try {
    const pdf = await ctx.renderer.printHistory(sheet);
    return { pdf, filename: `${sheet.code}-history.pdf` };
  } catch (error) {
    if (error instanceof RenderError && error.retryable) throw printingUnavailable(error);
    throw error;
  }
}

async function sheetOf(
  ctx: Context,
  { document, parties, rawFiles }: DocumentRecord,
  language: Language,
): Promise<HistorySheet> {
  const [events, approvals] = await Promise.all([
    listEvents(ctx.db, document.id),
    approvalsOf(ctx.db, document.id),
  ]);
  const nameOf = (userId: string) => {
    const party = parties.find(({ user_id }) => user_id === userId);
    return party?.approved_name ?? party?.name ?? 'Unknown User';
  };
  return {
    language,
    name: document.name,
    code: document.document_code,
    madeAt: new Date().toISOString(),
    events: events.map((event) => ({ ...auditEntryOf(event), ...proofOf(event, document.final_sha256) })),
    approvals: approvals
      .filter(({ withdrawn_at }) => !withdrawn_at)
      .map(({ user_id, approved_at, statement }) => ({
        name: nameOf(user_id),
        at: approved_at.toISOString(),
        statementSha256: statementHash(statement),
      })),
    files: rawFiles.map(({ name, kind, sha256 }) => ({ name, kind, sha256 })),
  };
}

/** The evidence that the document's page shows with an event; the comparison of eyes is left out. */
function proofOf({ type, reason, photos }: EventRow, sealedSha256: string | null) {
  return {
    ...(reason ? { detail: reason } : {}),
    ...(photos ? { photos: { profile_pic: photos.profile_pic, eye: photos.eye, sign: photos.sign } } : {}),
    ...(type === 'document.finalized' && sealedSha256 ? { sealedSha256 } : {}),
  };
}
