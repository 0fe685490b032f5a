import type { CaptureStep, PhotoSource } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

/** A nonce is valid for one photo, this long. */
export const NONCE_SECONDS = 5 * 60;
/** A bound photo is valid this long, because signing and filling in the form take time. */
const BOUND_SECONDS = 60 * 60;
const KEPT_PER_USER = 40;

export async function insertCapture(
  db: Db,
  capture: { nonceSha256: string; userId: string; subject: string; step: CaptureStep },
): Promise<void> {
  await sql`
    DELETE FROM live_captures
    WHERE user_id = ${capture.userId} AND (
      issued_at < now() - make_interval(secs => ${NONCE_SECONDS + BOUND_SECONDS})
      OR nonce_sha256 IN (
        SELECT nonce_sha256 FROM live_captures WHERE user_id = ${capture.userId}
        ORDER BY issued_at DESC OFFSET ${KEPT_PER_USER - 1}
      )
    )`.execute(db);
  await sql`
    INSERT INTO live_captures (nonce_sha256, user_id, subject, step)
    VALUES (${capture.nonceSha256}, ${capture.userId}, ${capture.subject}, ${capture.step})`.execute(db);
}

/** Binds a photo to an unused, valid nonce of the caller. Returns false without such a nonce. */
export async function bindPhoto(
  db: Db,
  { nonceSha256, userId, photoSha256 }: { nonceSha256: string; userId: string; photoSha256: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE live_captures SET photo_sha256 = ${photoSha256}, bound_at = now()
    WHERE nonce_sha256 = ${nonceSha256} AND user_id = ${userId} AND bound_at IS NULL
      AND issued_at > now() - make_interval(secs => ${NONCE_SECONDS})`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Uses up the photo's binding. A photo that is bound to exactly this purpose is `live`, whatever the form
 * says: the form alone does not prove that a camera was used.
 */
export async function sourceOf(
  tx: Tx<Database>,
  photo: {
    userId: string;
    subject: string;
    step: CaptureStep;
    sha256: string;
    stated: 'camera' | 'device' | undefined;
  },
): Promise<PhotoSource> {
  const { numAffectedRows } = await sql`
    UPDATE live_captures SET used_at = now()
    WHERE nonce_sha256 = (
      SELECT nonce_sha256 FROM live_captures
      WHERE user_id = ${photo.userId} AND subject = ${photo.subject} AND step = ${photo.step}
        AND photo_sha256 = ${photo.sha256} AND used_at IS NULL
        AND bound_at > now() - make_interval(secs => ${BOUND_SECONDS})
      LIMIT 1 FOR UPDATE
    )`.execute(tx);
  if (numAffectedRows === 1n) return 'live';
  return photo.stated === 'device' ? 'device' : 'unstated';
}
