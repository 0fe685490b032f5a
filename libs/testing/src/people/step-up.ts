/**
 * A stub of the documents service that reports which users must confirm actions with a passkey, and signs
 * grants.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { StepUpAct, StepUpStanding } from '@karaar/contracts/step-up';
import { actText, performerOf } from '@karaar/contracts/step-up-statement';
import { SignJWT } from 'jose';

export type StepUps = {
  /** Users who have a passkey, or who wait since theirs was removed; other users have none. */
  standings: Map<string, 'keys' | 'waiting'>;
  answer: (request: { user_id: string }) => StepUpStanding;
  /** Returns a grant as documents signs it, as a header. */
  grant: (userId: string, act: StepUpAct, made?: Made) => Promise<{ 'step-up-grant': string }>;
};

/** An invalid grant: signed with an unknown key, or signed this many seconds ago. */
type Made = { forged?: boolean; agoS?: number };

/** The lifetime of a grant in documents. */
const TTL_S = 120;

/** The end of the waiting time for users in state `waiting`. */
export const WAITING_UNTIL = '2099-01-01T00:00:00.000Z';

export function startStepUps(): StepUps {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const kid = randomUUID();
  const standings: StepUps['standings'] = new Map();
  return {
    standings,
    answer: ({ user_id }) => {
      const state = standings.get(user_id) ?? 'none';
      return {
        state,
        until: state === 'waiting' ? WAITING_UNTIL : null,
        grant_keys: [{ kid, x: String(publicKey.export({ format: 'jwk' }).x) }],
      };
    },
    grant: async (userId, act, { forged = false, agoS = 0 } = {}) => {
      const issuedAt = Math.floor(Date.now() / 1_000) - agoS;
      const key = forged ? generateKeyPairSync('ed25519').privateKey : privateKey;
      const grant = new SignJWT({ act: actText(act) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'step-up+jwt', kid })
        .setIssuer('karaar:documents')
        .setAudience(performerOf(act))
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TTL_S);
      return { 'step-up-grant': await grant.sign(key) };
    },
  };
}
