/**
 * Lists over 1,000,000 rows, over HTTP at a fixed arrival rate: `own`, the list of one's documents, beside 1,000 rows as
 * well (design §4), and the admins' lists of `documents`, `payments`, and `accounts`, with the memory that an export holds.
 */
import { runParts } from '../lib/parts.ts';
import { measureAccounts, measureDocuments, measurePayments } from './admin.ts';
import { measureOwn } from './own.ts';

await runParts('lists', {
  own: measureOwn,
  documents: measureDocuments,
  payments: measurePayments,
  accounts: measureAccounts,
});
