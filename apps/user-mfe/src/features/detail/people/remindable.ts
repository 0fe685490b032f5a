import type { Document } from '@karaar/contracts/documents/http';
import type { Party } from '../../../shared/roles.ts';

/**
 * Returns the parties that the creator can remind now. Empty for other users, to whom the server sends no
 * times.
 */
export const remindable = ({ parties }: Pick<Document, 'parties'>, now: number): Party[] =>
  parties.filter(({ remindable_at }) => remindable_at && new Date(remindable_at).getTime() <= now);
