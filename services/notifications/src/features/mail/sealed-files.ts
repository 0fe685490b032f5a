/** The sealed PDF and its receipt, read from documents in parts. */
import { createHash } from 'node:crypto';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { AppError } from '@karaar/base/errors';
import type { Context } from '../../context.ts';

/** Encoded for an e-mail, they stay below 10 MB, which is the limit of many mail servers. */
export const MOST_BYTES = 7 * 1024 * 1024;

export type Attachment = { filename: string; contentType: string; content: Buffer };
/** The files of an e-mail, or why it has only the link. */
export type SealedFiles = Attachment[] | 'too_large' | 'unreadable';

type Wanted = { userId: string; documentId: string };
type Kind = 'receipt' | 'pdf';

/**
 * Returns both files; undefined if the document does not involve the user any more.
 * @throws AppError 409 before the document is in the log, 503 while documents is down; Error for damaged bytes
 */
export async function readSealedFiles(ctx: Context, wanted: Wanted): Promise<SealedFiles | undefined> {
  try {
    const [receipt, pdf] = [await readPart(ctx, wanted, 'receipt', 0), await readPart(ctx, wanted, 'pdf', 0)];
    if (receipt.size + pdf.size > MOST_BYTES) return 'too_large';
    return [
      {
        filename: pdf.name,
        contentType: 'application/pdf',
        content: await readRest(ctx, wanted, 'pdf', pdf),
      },
      {
        filename: receipt.name,
        contentType: 'text/html; charset=utf-8',
        content: await readRest(ctx, wanted, 'receipt', receipt),
      },
    ];
  } catch (error) {
    if (error instanceof AppError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

type Part = { name: string; size: number; sha256: string; bytes: Buffer };

async function readPart(ctx: Context, wanted: Wanted, file: Kind, offset: number): Promise<Part> {
  const { userId: user_id, documentId: document_id } = wanted;
  const part = await ctx.bus.request(documentsRpc.sealedPart, { document_id, user_id, file, offset });
  return { ...part, bytes: Buffer.from(part.bytes, 'base64') };
}

async function readRest(ctx: Context, wanted: Wanted, file: Kind, first: Part): Promise<Buffer> {
  const parts = [first.bytes];
  for (let read = first.bytes.length; read < first.size;) {
    const { bytes } = await readPart(ctx, wanted, file, read);
    if (bytes.length === 0) break;
    parts.push(bytes);
    read += bytes.length;
  }
  const whole = Buffer.concat(parts);
  if (createHash('sha256').update(whole).digest('hex') !== first.sha256)
    throw new Error(`The ${file} of a sealed document arrived with another SHA-256`);
  return whole;
}
