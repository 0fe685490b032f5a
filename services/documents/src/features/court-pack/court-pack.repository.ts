import { uuidv7 } from '@karaar/db';
import type { Db } from '../../db/schema.ts';

export async function noteCourtPack(
  db: Db,
  taken: { documentId: string; userId: string; reason: string },
): Promise<void> {
  const { documentId: document_id, userId: user_id, reason } = taken;
  await db.insertInto('court_packs').values({ id: uuidv7(), document_id, user_id, reason }).execute();
}
