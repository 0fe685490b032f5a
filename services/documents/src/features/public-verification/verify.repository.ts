import type { Db } from '../../db/schema.ts';

export async function findSealedFile(db: Db, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('final_path')
    .where('document_code', '=', code)
    .where('status', '=', 'finalized')
    .executeTakeFirst();
  return row?.final_path ?? undefined;
}
