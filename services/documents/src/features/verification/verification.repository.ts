import type { Tx } from '@karaar/platform/db-kit';
import type { Kysely, Selectable } from 'kysely';
import type { Database, VerificationsTable } from '../../db/schema.ts';

type Image = { path: string; sha256: string };
export type VerificationPaths = { profile_pic: Image; eye: Image; sign: Image; thumb: Image | null };
export type VerificationRow = Selectable<VerificationsTable>;

/** A party's newest verification for a document replaces an earlier one. */
export async function storeVerification(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  images: VerificationPaths,
): Promise<void> {
  const values = {
    profile_pic: images.profile_pic.path,
    profile_pic_sha256: images.profile_pic.sha256,
    eye: images.eye.path,
    eye_sha256: images.eye.sha256,
    sign: images.sign.path,
    sign_sha256: images.sign.sha256,
    thumb: images.thumb?.path ?? null,
    thumb_sha256: images.thumb?.sha256 ?? null,
    created_at: new Date(),
  };
  await tx
    .insertInto('verifications')
    .values({ document_id: documentId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['document_id', 'user_id']).doUpdateSet(values))
    .execute();
}

export async function verificationsOf(
  db: Kysely<Database> | Tx<Database>,
  documentId: string,
): Promise<VerificationRow[]> {
  return db.selectFrom('verifications').selectAll().where('document_id', '=', documentId).execute();
}
