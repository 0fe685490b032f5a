/** The receipt of a document for its parties. */
import type { Context } from '../../context.ts';
import { presentProof } from '../log/log.presenter.ts';
import { logKeys, proofForUser } from '../log/log.service.ts';
import { trustOf } from '../verify/trust.ts';
import { receiptPage } from './receipt-page.ts';

/** The page and its file name. Throws as the proof does: 403, 404, 409. */
export async function receiptFor(ctx: Context, viewerId: string, id: string) {
  const place = await proofForUser(ctx, viewerId, id);
  const trust = await trustOf(ctx);
  const html = receiptPage({
    proof: presentProof(place, await logKeys(ctx)),
    sealers: trust.sealers.map(({ bytes }) => bytes),
    roots: trust.roots.map(({ bytes }) => bytes),
    timestampRoots: trust.timestampRoots.map(({ bytes }) => bytes),
  });
  return { html, filename: `${place.commitment.document_code}-receipt.html` };
}
