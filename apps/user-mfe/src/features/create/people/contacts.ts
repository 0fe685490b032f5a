/** The people with whom a user recently made agreements; pure. */
import type { Document } from '@karaar/contracts/documents/http';

export type Contact = { char_id: string; name: string };

/** The maximum number of contacts. */
const MOST = 6;

/**
 * Returns the other parties of these documents, each once, in the documents' order. People who only asked to
 * join are left out.
 */
export function contactsOf(documents: readonly Pick<Document, 'parties'>[], own: string): Contact[] {
  const contacts = new Map<string, Contact>();
  for (const { parties } of documents)
    for (const { user_id, char_id, name, state } of parties)
      if (user_id !== own && char_id && state !== 'requested' && !contacts.has(char_id))
        contacts.set(char_id, { char_id, name });
  return [...contacts.values()].slice(0, MOST);
}
