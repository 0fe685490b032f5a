import { runParts } from '../lib/parts.ts';
import { measureAccounts, measureDocuments, measurePayments } from './admin.ts';
import { measureOwn } from './own.ts';

await runParts('lists', {
  own: measureOwn,
  documents: measureDocuments,
  payments: measurePayments,
  accounts: measureAccounts,
});
