/**
 * The statements that every message needs. Concurrent calls share a statement, and so its round trip and
 * commit.
 */
import { batched } from '@karaar/db/batching';
import type { Db } from './db/schema.ts';
import { noteApproaches, type Approach } from './features/approaches/approaches.repository.ts';
import type { ApproachLimits } from './features/approaches/approaches.ts';
import {
  conversationOf,
  insertMessages,
  type NewMessage,
} from './features/conversations/conversations.repository.ts';
import { advanceDelivered, threadOf, type Receipt } from './features/live/live.repository.ts';
import { countUnread, findPairs, type PairQuery } from './features/threads/threads.repository.ts';

/** Milliseconds between two statements of one kind under load. A message takes four of them in sequence. */
const APART_MS = 8;

export function batchStatements(db: Db, limits: ApproachLimits) {
  return {
    /**
     * Records that a user writes to a stranger. Returns how many milliseconds the sender must wait first, 0
     * for none.
     */
    approach: batched({
      run: (approaches: readonly Approach[]) => noteApproaches(db, limits, approaches),
      keyOf: ({ userId }) => userId,
    }),
    /** Returns the relation of two users, or undefined if the other is not in the directory. */
    findPair: batched({ run: (queries: readonly PairQuery[]) => findPairs(db, queries), apartMs: APART_MS }),
    /**
     * Stores a message and resolves once it is committed. Returns null if its client message id was used
     * before. Messages of one conversation are stored one after the other, in the order of the calls.
     */
    insertMessage: batched({
      run: (messages: readonly NewMessage[]) => insertMessages(db, messages),
      keyOf: conversationOf,
      apartMs: APART_MS,
    }),
    countUnread: batched({
      run: (userIds: readonly string[]) => countUnread(db, userIds),
      apartMs: APART_MS,
    }),
    /** Stores a receipt. Returns the new position, or null if nothing has changed. */
    advanceDelivered: batched({
      run: (receipts: readonly Receipt[]) => advanceDelivered(db, receipts),
      keyOf: threadOf,
      apartMs: APART_MS,
    }),
  };
}
export type BatchedStatements = ReturnType<typeof batchStatements>;
