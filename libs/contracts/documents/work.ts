/** Tasks that need the user, across all documents: the dashboard's first list. */
import { Type, type Static } from 'typebox';
import { defineRoute, IsoDate } from '../kit.ts';

export const WorkItem = Type.Object({
  /**
   * Tasks of the caller: accept (an invitation), read (admitted, and now to approve), admit (a user asks to
   * join), approve (as the creator), seal, pay, rejected (a party rejected), invite (no party yet), draft.
   * Tasks of others: answer and reading (an invited or admitted party), approval, admission (of the caller,
   * who has asked to join), decision and sealing (the creator's).
   */
  kind: Type.Enum([
    'accept',
    'read',
    'admit',
    'approve',
    'seal',
    'pay',
    'rejected',
    'invite',
    'draft',
    'answer',
    'reading',
    'approval',
    'admission',
    'decision',
    'sealing',
  ]),
  document_id: Type.String(),
  name: Type.String(),
  /** The users whom the task is about, or for whom the document waits. */
  people: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String() })),
  /** For accept and read: the day by which the creator asks the caller to answer. */
  answer_by: Type.Optional(IsoDate),
});
export type WorkItem = Static<typeof WorkItem>;

export const workRoutes = {
  work: defineRoute({
    method: 'GET',
    path: '/documents/work',
    access: 'user',
    summary:
      "What is the caller's to do, what has an answer-by date first and then newest first, and what waits for others, and for whom",
    response: { 200: Type.Object({ mine: Type.Array(WorkItem), others: Type.Array(WorkItem) }) },
  }),
} as const;
