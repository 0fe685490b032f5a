import type { Tx } from '@karaar/db';
import type { Database } from '../../db/schema.ts';
import { addToCounts, lockDocument, putDocument, takeFromCounts } from './shared-documents.repository.ts';
import { pairChanges } from './shared-documents.ts';

/** Stores the parties of a document's newest version; an older version changes nothing. */
export async function noteParties(
  tx: Tx<Database>,
  document: { id: string; people: string[]; version: number; at: Date },
): Promise<void> {
  const known = await lockDocument(tx, document.id);
  if (known.version >= document.version) return;
  const people = [...new Set(document.people)];
  await putDocument(tx, { id: document.id, people, version: document.version });
  const { added, removed } = pairChanges(known.people, people);
  await addToCounts(tx, added, document.at);
  await takeFromCounts(tx, removed);
}
