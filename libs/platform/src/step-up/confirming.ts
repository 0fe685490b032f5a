/** How a service makes sure, before it performs an act, that its user has confirmed it. */
import type { StepUpStanding } from '@karaar/contracts/step-up';
import { STEP_UP_HEADER } from '@karaar/contracts/step-up-statement';
import type { FastifyRequest } from 'fastify';
import { sql, type Transaction } from 'kysely';
import { isUniqueViolation } from '../db-kit/index.ts';
import { stepUpRefused, stepUpRequired, stepUpWaiting } from './errors.ts';
import { readGrant, type GrantedAct } from './grants.ts';

/** The grant that a request carries. */
export function grantOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const value = headers[STEP_UP_HEADER];
  return typeof value === 'string' ? value : undefined;
}

/** An act that may be performed. */
export type Confirmed = {
  /** Uses the grant up, in the transaction of the act. Throws 403 `step_up_refused` when it was used before. */
  spend: <DB>(tx: Transaction<DB>) => Promise<void>;
};

const UNNEEDED: Confirmed = { spend: async () => undefined };

/**
 * Checks that a user may perform an act now: there is no passkey to confirm it with, or the grant is for exactly this act.
 *
 * @param ask the documents service about the user; a failure is thrown on, so that an act is not performed unconfirmed
 * @throws 403 `step_up_required` without a grant, 403 `step_up_refused` for one that is not valid for the act, 409
 *   `step_up_waiting` while nothing can confirm it
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
      // An hour later than it expires, since the clocks of database and service may differ.
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
