import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/db';
import type { Database } from '../../db/schema.ts';

export async function chooseTextMessageLanguage(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  language: NoticeLanguage,
): Promise<void> {
  await tx
    .updateTable('parties')
    .set({ notice_language: language })
    .where('document_id', '=', documentId)
    .where('user_id', '=', userId)
    .execute();
}
