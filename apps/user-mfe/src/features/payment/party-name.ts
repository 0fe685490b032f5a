import type { Document } from '@karaar/contracts/documents/http';
import { userName } from '@karaar/ui/format';

/** Returns the name of a party of the document; 'Unknown User' for a former party. */
export const nameOf = (document: Pick<Document, 'parties'>, userId: string): string =>
  userName(document.parties.find((party) => party.user_id === userId)?.name);
