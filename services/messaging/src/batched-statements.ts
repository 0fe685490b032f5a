/** The statements of every message, each for all who need it at a moment: under load they share round trips and commits. */
import { batched } from '@karaar/platform/batching';
import type { Db } from './db/schema.ts';
import { noteApproaches, type Approach } from './features/approaches/approaches.repository.ts';
import type { ApproachLimits } from './features/approaches/approaches.ts';
import {
  conversationOf,
  insertMessages,
  type NewMessage,
} from './features/conversations/conversations.repository.ts';
import { advanceDelivered, threadOf, type Receipt } from './features/live/live.repository.ts';
import { countUnread, findPairs, type Asked } from './features/threads/threads.repository.ts';

/** Milliseconds between two statements of one kind under load: a message takes four of them, one after the other. */
const APART_MS = 8;

export function batchStatements(db: Db, limits: ApproachLimits) {
  return {
    /**
     * Records that a user writes to a stranger.
     *
     * @returns how many milliseconds the sender has to wait first, 0 for none
     */
    approach: batched({
      run: (approaches: readonly Approach[]) => noteApproaches(db, limits, approaches),
      keyOf: ({ userId }) => userId,
    }),
    /** What two users are to each other; undefined when the other is not in the directory. */
    findPair: batched({ run: (asked: readonly Asked[]) => findPairs(db, asked), apartMs: APART_MS }),
    /**
     * Stores a message and resolves once it is committed; null when its client message id was used before. Those of one
     * conversation go one after the other, in the order in which they came.
     */
    insertMessage: batched({
      run: (messages: readonly NewMessage[]) => insertMessages(db, messages),
      keyOf: conversationOf,
      apartMs: APART_MS,
    }),
    /** How many messages a user has not read. */
    countUnread: batched({
      run: (userIds: readonly string[]) => countUnread(db, userIds),
      apartMs: APART_MS,
    }),
    /** Notes a receipt; the place that counts now, or null when nothing has changed. */
    advanceDelivered: batched({
      run: (receipts: readonly Receipt[]) => advanceDelivered(db, receipts),
      keyOf: threadOf,
      apartMs: APART_MS,
    }),
  };
}
export type BatchedStatements = ReturnType<typeof batchStatements>;
