/**
 * Requests of the auth service to every service with personal data: the stored data of a user (export), and
 * reasons against deleting the account. A service erases the data when it receives `auth.user.deleted`.
 */
import { Type, type Static } from 'typebox';
import { DeletionBlocker } from './auth/deletion-blocker.ts';
import { defineRpc, nullable } from './kit.ts';
import type { ServiceName } from './names.ts';

/** One item of the user's data in the export: flat, readable, without ids of other users. */
export const ExportItem = Type.Record(Type.String(), Type.Unknown());
export type ExportItem = Static<typeof ExportItem>;

/** Maximum items of one page: a reply must stay below the broker's 1 MiB. */
export const EXPORT_PAGE = 200;

const exportUser = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.export-user.v1`,
    request: Type.Object({ user_id: Type.String(), cursor: nullable(Type.String()) }),
    response: Type.Object({ items: Type.Array(ExportItem), next_cursor: nullable(Type.String()) }),
    timeoutMs: 5_000,
    callers: ['auth'],
  });

const deletionBlockers = (service: string, ...callers: ServiceName[]) =>
  defineRpc({
    subject: `rpc.${service}.deletion-blockers.v1`,
    request: Type.Object({ user_id: Type.String() }),
    response: Type.Object({
      blockers: Type.Array(DeletionBlocker),
    }),
    timeoutMs: 3_000,
    callers: ['auth', ...callers],
  });

/** By service; the key is also the file's name in the export. */
export const exportRpc = {
  documents: exportUser('documents'),
  wallet: exportUser('wallet'),
  payments: exportUser('payments'),
  messages: exportUser('messaging'),
  notifications: exportUser('notifications'),
} as const;

/** Services that can delay a deletion. */
export const deletionRpc = {
  documents: deletionBlockers('documents'),
  wallet: deletionBlockers('wallet'),
  /** Wallet calls it before a user gives up a remaining balance. */
  payments: deletionBlockers('payments', 'wallet'),
} as const;
