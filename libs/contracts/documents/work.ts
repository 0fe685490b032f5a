/** What needs a user, in whatever document: the dashboard's first list. */
import { Type, type Static } from 'typebox';
import { defineRoute, IsoDate } from '../kit.ts';

export const WorkItem = Type.Object({
  /**
   * The caller's own: accept (an invitation), read (admitted, and now to approve), admit (a person asks to join), approve (as
   * the creator), seal, pay, rejected (a party said no), invite (nobody is), draft. Of others: answer and reading (an invited
   * or admitted party), approval, admission (of the caller, who has asked to join), decision and sealing (the creator's).
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
  /** Whom it is about, or who is waited for. */
  people: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String() })),
  /** Of accept and read: the day by which the creator asks the caller to answer. */
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
