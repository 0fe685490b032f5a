import { readCode } from '@karaar/contracts/typed/read';
import type { SpooledFile } from '@karaar/http';
import { fromHex, toHex } from '@karaar/proof/bytes';
import { checkDocument, type DocumentFinding } from '@karaar/proof/seal/check';
import type { FileBytes } from '@karaar/proof/seal/sealed-file';
import type { Context } from '../../context.ts';
import { presentProof } from '../transparency-log/log.presenter.ts';
import { findCommitment } from '../transparency-log/log.repository.ts';
import { logKeys } from '../transparency-log/log.service.ts';
import { placeOf } from '../transparency-log/place.ts';
import { blobFile, diskFile } from './file-bytes.ts';
import { findSealedFile } from './verify.repository.ts';
import { trustOf } from './trust.ts';
import { notSealed } from './verify.errors.ts';

export type Verified = DocumentFinding & { sha256: string };

/** Verifies an uploaded file. Throws 503 if too many files wait to be verified. */
export async function verifyFile(ctx: Context, file: SpooledFile): Promise<Verified> {
  return ctx.verifyLimit(() => verify(ctx, diskFile(file.path, file.size), fromHex(file.sha256)));
}

/** Verifies the stored file itself, not the database's data about it. Throws 404 for an unknown code. */
export async function verifyByCode(ctx: Context, code: string): Promise<Verified> {
  const documentCode = readCode(code);
  const path = documentCode ? await findSealedFile(ctx.db, documentCode) : undefined;
  if (!path) throw notSealed();
  const file = await blobFile(ctx.blobs, path);
  return ctx.verifyLimit(async () => verify(ctx, file, await file.digest([0, file.size])));
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
