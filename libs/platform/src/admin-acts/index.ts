/** Publishes the acts of admins to the auth service, which keeps the audit log. */
import type { AdminAct, adminActs } from '@karaar/contracts/admin';
import type { Outbox } from '../bus/index.ts';
import { uuidv7, type Tx } from '../db-kit/index.ts';

export type Act = {
  adminId: string;
  /** `pricing.changed`. */
  action: AdminAct['action'];
  targetId?: string | null;
  /** The readable name of the object of the act, without personal data that the log's readers need not see. */
  target: string;
  reason?: string;
};

/** Call it in the transaction of the act, so that there is no act without its line and no line without its act. */
export async function recordAct<DB>(
  outbox: Outbox,
  tx: Tx<DB>,
  event: (typeof adminActs)[keyof typeof adminActs],
  { adminId, action, targetId = null, target, reason = '' }: Act,
): Promise<void> {
  const id = uuidv7();
  await outbox.add(tx, event, {
    aggregateId: id,
    aggregateVersion: 1,
    data: {
      audit_id: id,
      admin_id: adminId,
      action,
      target_id: targetId,
      target,
      reason,
      at: new Date().toISOString(),
    },
  });
}
