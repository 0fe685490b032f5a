import { siteOf } from '@karaar/webauthn';
import type { Context } from '../../context.ts';
import { findJob } from '../finalization/finalization.repository.ts';
import { presentProof } from '../transparency-log/log.presenter.ts';
import { logKeys, proofForUser } from '../transparency-log/log.service.ts';
import type { PlaceInLog } from '../transparency-log/place.ts';
import { receiptApprovals } from '../transparency-log/signed-approvals.ts';
import { trustOf } from '../public-verification/trust.ts';
import { receiptPage } from './receipt-page.ts';

/** Returns the page and its file name. Throws the errors of the proof: 403, 404, 409. */
export async function receiptFor(ctx: Context, viewerId: string, id: string) {
  const place = await proofForUser(ctx, viewerId, id);
  const html = await receiptOf(ctx, place, id);
  return { html, filename: `${place.commitment.document_code}-receipt.html` };
}

/** Returns the receipt page for a document's place in the log. */
export async function receiptOf(ctx: Context, place: PlaceInLog, id: string): Promise<string> {
  const [trust, job] = await Promise.all([trustOf(ctx), findJob(ctx.db, id)]);
  if (!job) throw new Error('A sealed document has no finalization job.');
  return receiptPage({
    proof: presentProof(place, await logKeys(ctx)),
    sealers: trust.sealers.map(({ bytes }) => bytes),
    roots: trust.roots.map(({ bytes }) => bytes),
    timestampRoots: trust.timestampRoots.map(({ bytes }) => bytes),
    origin: siteOf(ctx.config).origin,
    approvals: await receiptApprovals(ctx, id, place.size),
    law: job.law,
  });
}
