/** Verifies, before a service performs an action, that its user has confirmed it. */
import type { StepUpStanding } from '@karaar/contracts/step-up';
import { STEP_UP_HEADER } from '@karaar/contracts/step-up-statement';
import type { FastifyRequest } from 'fastify';
import { sql, type Transaction } from 'kysely';
import { isUniqueViolation } from '@karaar/db';
import { stepUpRefused, stepUpRequired, stepUpWaiting } from './errors.ts';
import { readGrant, type GrantedAct } from './grants.ts';

/** Returns the grant in a request's headers. */
export function grantOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const value = headers[STEP_UP_HEADER];
  return typeof value === 'string' ? value : undefined;
}

export type Confirmed = {
  /**
   * Marks the grant as used, in the transaction of the action. Throws 403 `step_up_refused` if it was used
   * before.
   */
  spend: <DB>(tx: Transaction<DB>) => Promise<void>;
};

const UNNEEDED: Confirmed = { spend: async () => undefined };

/**
 * Checks that a user may perform an action now: either the user has no passkey, or the grant is for exactly
 * this action.
 *
 * @param ask asks the documents service about the user; its errors are rethrown, so that no action is
 * performed unconfirmed
 * @throws 403 `step_up_required` without a grant, 403 `step_up_refused` for one that is invalid for the
 * action, 409 `step_up_waiting` while no passkey can confirm it
 */
export async function confirmedAct(
  ask: (userId: string) => Promise<StepUpStanding>,
  granted: GrantedAct,
  grant: string | undefined,
): Promise<Confirmed> {
  const { state, until, grant_keys: keys } = await ask(granted.userId);
  if (state === 'none') return UNNEEDED;
  if (state === 'waiting') throw stepUpWaiting(until);
  if (grant === undefined) throw stepUpRequired();
  const read = await readGrant(keys, grant, granted);
  if (!read) throw stepUpRefused();
  return {
    spend: async (tx) => {
      // Delete an hour after expiry, since the clocks of database and service may differ.
      await sql`DELETE FROM used_step_ups WHERE expires_at < now() - interval '1 hour'`.execute(tx);
      try {
        await sql`
          INSERT INTO used_step_ups (id, expires_at) VALUES (${read.id}, ${read.expiresAt})`.execute(tx);
      } catch (error) {
        if (isUniqueViolation(error, 'used_step_ups_pkey')) throw stepUpRefused();
        throw error;
      }
    },
  };
}
