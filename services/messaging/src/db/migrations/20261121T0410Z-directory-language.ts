import { directoryLanguage } from '@karaar/platform/frozen-tables';
import type { Kysely } from 'kysely';

/** The copy of the users also knows which language each reads. */
export const up = (db: Kysely<unknown>): Promise<void> => directoryLanguage(db);
