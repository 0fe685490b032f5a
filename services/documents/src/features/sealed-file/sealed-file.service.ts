import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { documentsRpc, SEALED_PART_BYTES } from '@karaar/contracts/documents/rpc';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import type { Context } from '../../context.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { documentNotFound, notFinalized } from '../agreements/rules/agreement.errors.ts';
import { receiptOf } from '../receipt/receipt.service.ts';
import { placeOfDocument } from '../transparency-log/log.service.ts';

type SealedPart = typeof documentsRpc.sealedPart;

export async function sealedFileRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(documentsRpc.sealedPart, (request) => readPart(ctx, request), { concurrency: 20 });
}

/** E-mails about a seal are sent within three days. Older documents are not read, so a stolen right ends there. */
const READABLE_MS = 7 * 24 * 60 * 60_000;

/**
 * Returns a part of the sealed PDF or of its receipt, for a user whom the document involves.
 * @throws 403, 404 for another user or a document that was sealed more than a week ago, 409 before it is sealed and
 * logged
 */
async function readPart(
  ctx: Context,
  { document_id: id, user_id: userId, file, offset }: RpcRequest<SealedPart>,
): Promise<RpcResponse<SealedPart>> {
  const { document } = await getInvolvedDocument(ctx, userId, id);
  const place = await placeOfDocument(ctx, document);
  const { document_code: code, final_path: path, final_sha256: sha256 } = document;
  if (!path || !sha256 || !document.finalized_at) throw notFinalized();
  if (Date.now() - document.finalized_at.getTime() > READABLE_MS) throw documentNotFound();
  if (file === 'receipt') {
    const whole = Buffer.from(await receiptOf(ctx, place, id));
    return {
      name: `${code}-receipt.html`,
      size: whole.length,
      sha256: createHash('sha256').update(whole).digest('hex'),
      bytes: whole.subarray(offset, offset + SEALED_PART_BYTES).toString('base64'),
    };
  }
  const range = { start: offset, end: offset + SEALED_PART_BYTES - 1 };
  const { stream, size } = await ctx.blobs.open(path, { range });
  return { name: `${code}.pdf`, size, sha256, bytes: (await buffer(stream)).toString('base64') };
}
