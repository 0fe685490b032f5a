/** Publishes the actions of admins to the auth service, which keeps the audit log. */
import type { AdminAct, adminActs } from '@karaar/contracts/admin';
import type { Outbox } from '../bus/index.ts';
import { uuidv7, type Tx } from '@karaar/db';

export type Act = {
  adminId: string;
  /** For example `pricing.changed`. */
  action: AdminAct['action'];
  targetId?: string | null;
  /** A readable name of the object, without personal data that readers of the log do not need. */
  target: string;
  reason?: string;
};

/**
 * Call it in the transaction of the action, so that the action and its audit entry are stored together or not
 * at all.
 */
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
