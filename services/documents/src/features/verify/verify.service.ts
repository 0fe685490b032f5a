/** Verifying for strangers: a file that they hold, or the one that is on record under a code. */
import { isCode8 } from '@karaar/platform/db-kit';
import type { SpooledFile } from '@karaar/platform/http-kit';
import { fromHex, toHex } from '@karaar/proof/bytes';
import { checkDocument, type DocumentFinding } from '@karaar/proof/check';
import type { FileBytes } from '@karaar/proof/sealed-file';
import type { Context } from '../../context.ts';
import { presentProof } from '../log/log.presenter.ts';
import { findCommitment } from '../log/log.repository.ts';
import { logKeys } from '../log/log.service.ts';
import { placeOf } from '../log/place.ts';
import { blobFile, diskFile } from './file-bytes.ts';
import { findSealedFile } from './verify.repository.ts';
import { trustOf } from './trust.ts';
import { notSealed } from './verify.errors.ts';

export type Verified = DocumentFinding & { sha256: string };

/** Throws 503 when too many others are before it. */
export async function verifyFile(ctx: Context, file: SpooledFile): Promise<Verified> {
  return ctx.verifyTurns(() => verify(ctx, diskFile(file.path, file.size), fromHex(file.sha256)));
}

/** Reads and checks the stored file itself, not what the database says of it. Throws 404. */
export async function verifyByCode(ctx: Context, code: string): Promise<Verified> {
  const wanted = code.trim().toUpperCase();
  const path = isCode8(wanted) ? await findSealedFile(ctx.db, wanted) : undefined;
  if (!path) throw notSealed();
  const file = await blobFile(ctx.blobs, path);
  return ctx.verifyTurns(async () => verify(ctx, file, await file.digest([0, file.size])));
}

async function verify(ctx: Context, file: FileBytes, sha256: Uint8Array): Promise<Verified> {
  const hash = toHex(sha256);
  const keys = await logKeys(ctx);
  const commitment = await findCommitment(ctx.db, { sha256: hash });
  const place = commitment && (await placeOf(ctx, commitment));
  const finding = await checkDocument(file, {
    sha256,
    trust: await trustOf(ctx),
    place: place && presentProof(place, keys),
    keys,
  });
  return { ...finding, sha256: hash };
}
